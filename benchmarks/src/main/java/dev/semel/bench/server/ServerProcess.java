package dev.semel.bench.server;

import dev.semel.testservers.TestPorts;
import java.io.IOException;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, which ends with the benchmark. */
public record ServerProcess(Process process, int port) implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 50;

    /** Where the build puts what is too large for the jar, or cannot be in it. */
    public static Path besideTheJar(String name) throws IOException {
        try {
            return Path.of(ServerProcess.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolveSibling(name);
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    /** Starts the server, and waits until it accepts connections. */
    public static ServerProcess start(Path log, int port, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ServerProcess server = new ServerProcess(process, port);
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!server.accepts()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                server.close();
                throw new IOException(String.join(" ", command) + " did not start:\n" + Files.readString(log));
            }
            pause();
        }
        return server;
    }

    /** Starts a gateway, of what this benchmark was built with. */
    public static ServerProcess gateway(
            Path log, List<String> javaOptions, int upstream, String store, String... options) throws IOException {
        int port = TestPorts.free();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("dev.semel.cli.SemelCommand", "serve", "--upstream", "http://127.0.0.1:" + upstream));
        command.addAll(List.of("--listen", "127.0.0.1:" + port, "--store", store));
        command.addAll(List.of(options));
        return start(log, port, command.toArray(String[]::new));
    }

    private boolean accepts() {
        try {
            new Socket("127.0.0.1", port).close();
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a server was starting", e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
