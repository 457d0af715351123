package dev.semel.torture.server;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import redis.embedded.RedisExecProvider;

/** A Redis for the designs that keep their keys there. It writes to the disk before it answers. */
public final class PeerRedis implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 30;

    private final int port;
    private final Process process;

    private PeerRedis(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    public static PeerRedis start(Path directory) throws IOException, InterruptedException {
        File binary = RedisExecProvider.defaultProvider().get();
        if (!binary.setExecutable(true)) {
            throw new IOException("cannot make " + binary + " executable");
        }
        int port = Ports.free();
        Path log = directory.resolve("redis.log");
        String arguments = "--port " + port + " --bind 127.0.0.1 --appendonly yes --appendfsync always --dir "
                + Files.createDirectory(directory.resolve("redis"));
        Process process = new ProcessBuilder((binary + " " + arguments).split(" "))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        PeerRedis server = new PeerRedis(port, process);
        server.awaitReady(log);
        return server;
    }

    private void awaitReady(Path log) throws IOException, InterruptedException {
        for (long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS); ; ) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    close();
                    throw new IOException("Redis did not start: " + Files.readString(log), e);
                }
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
