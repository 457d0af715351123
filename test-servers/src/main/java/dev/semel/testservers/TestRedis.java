package dev.semel.testservers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import redis.embedded.RedisExecProvider;

/** A redis-server in a process of its own, which keeps its port and its directory when it is started again. */
public final class TestRedis implements AutoCloseable {

    private static final String BINARY = unpack();
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final long POLL_NANOS = 20_000_000;

    private final int port;
    private final Path directory;
    private final List<String> command;
    private Process process;

    private TestRedis(int port, Path directory, List<String> command) throws IOException {
        this.port = port;
        this.directory = directory;
        this.command = command;
        this.process = run();
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /**
     * Starts a server that keeps nothing on the disk, unless its settings say so.
     *
     * @param settings lines of its configuration, such as {@code appendonly yes}
     */
    public static TestRedis start(String... settings) throws IOException {
        return start(freePort(), settings);
    }

    /** Starts it on a certain port. */
    public static TestRedis start(int port, String... settings) throws IOException {
        Path directory = Files.createTempDirectory("semel-redis");
        List<String> command = new ArrayList<>(List.of(
                BINARY, "--port", "" + port, "--bind", "127.0.0.1", "--dir", directory.toString(), "--save", ""));
        for (String setting : settings) {
            Collections.addAll(command, ("--" + setting).split(" "));
        }
        return new TestRedis(port, directory, command);
    }

    /** Starts a Sentinel for a group of the name {@code semel}, in which two must agree that its master is down. */
    public static TestRedis startSentinel(int masterPort, Duration patience) throws IOException {
        int port = freePort();
        Path directory = Files.createTempDirectory("semel-sentinel");
        Path config = Files.writeString(
                directory.resolve("sentinel.conf"), """
                port %d
                bind 127.0.0.1
                sentinel monitor semel 127.0.0.1 %d 2
                sentinel down-after-milliseconds semel %d
                sentinel failover-timeout semel 5000
                """.formatted(port, masterPort, patience.toMillis()));
        return new TestRedis(port, directory, List.of(BINARY, config.toString(), "--sentinel"));
    }

    private Process run() throws IOException {
        Path log = directory.resolve("log");
        Process started = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!answers()) {
            if (!started.isAlive() || System.nanoTime() - deadline > 0) {
                started.destroyForcibly();
                throw new IOException("redis-server did not start:\n" + Files.readString(log));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return started;
    }

    /** One that is still reading its log says so instead. */
    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(5), StandardCharsets.US_ASCII).equals("+PONG");
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    Path directory() {
        return directory;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the server without a chance to tidy up. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Suspends the server: its connections stay open, and it answers nothing. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets a frozen server go on. */
    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            int code = kill.onExit().join().exitValue();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the server again, with what it has on the disk. */
    public void restart() throws IOException {
        process = run();
    }

    /** Ends the server, and removes what it has on the disk. */
    @Override
    public void close() {
        kill();
        if (!Files.exists(directory)) {
            return;
        }
        try {
            TempDirectory.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A port below those that the system gives to outgoing connections, so that no process takes it while the server
     * restarts. A node of a Cluster also listens on the port that is 10000 higher.
     */
    public static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(11_000, 22_000);
            if (isFree(port) && isFree(port + 10_000)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static String unpack() {
        try {
            File binary = RedisExecProvider.defaultProvider().get();
            if (!binary.setExecutable(true)) {
                throw new IllegalStateException("cannot make " + binary + " executable");
            }
            return binary.getPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
