package dev.semel.gateway;

import static org.awaitility.Awaitility.await;

import dev.semel.cli.SemelCommand;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A gateway in a process of its own, which can be killed at any moment and started again at the same address. */
public final class GatewayProcess implements AutoCloseable {

    public static final String ADMIN_TOKEN = "sesame";

    private final List<String> command = new ArrayList<>();
    private final Path log;
    private final int port = freePort();
    private final int adminPort = freePort();
    private String adminToken = ADMIN_TOKEN;
    private Process process;

    public GatewayProcess(Path directory, String heap, String upstream, String store, String... options) {
        this.log = directory.resolve("gateway.log");
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                SemelCommand.class.getName(),
                "serve",
                "--upstream",
                upstream,
                "--listen",
                "127.0.0.1:" + port,
                "--admin",
                "127.0.0.1:" + adminPort,
                "--store",
                store));
        command.addAll(List.of(options));
    }

    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Further options of the JVM. */
    public GatewayProcess jvm(String... options) {
        command.addAll(1, List.of(options));
        return this;
    }

    public GatewayProcess start() {
        try {
            long already = Files.exists(log) ? Files.size(log) : 0;
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            if (adminToken == null) {
                builder.environment().remove("SEMEL_ADMIN_TOKEN");
            } else {
                builder.environment().put("SEMEL_ADMIN_TOKEN", adminToken);
            }
            process = builder.start();
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> Files.readString(log).substring((int) already).contains("ready after")
                            || !process.isAlive());
            if (!process.isAlive()) {
                throw new IllegalStateException("the gateway did not start:\n" + Files.readString(log));
            }
            return this;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Lets the gateway make a token of its own. */
    public GatewayProcess withoutAdminToken() {
        adminToken = null;
        return this;
    }

    /** What it has printed and logged so far. */
    public String printed() throws IOException {
        return Files.readString(log);
    }

    public int port() {
        return port;
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    public URI adminUri(String path) {
        return URI.create("http://127.0.0.1:" + adminPort + path);
    }

    /** How much of a processor it has used so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGTERM, or another signal by its name, and does not wait for it to take effect. */
    public void signal(String name) throws IOException, InterruptedException {
        int sent = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (sent != 0) {
            throw new IllegalStateException("kill -" + name + " ended with " + sent);
        }
    }

    /** How the process ended, when it has. */
    public CompletableFuture<Integer> exit() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** Sends SIGKILL, and does not wait for it to take effect. */
    public void shoot() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
