package dev.semel.redis;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import redis.embedded.RedisExecProvider;

/** A redis-server of a test's own, with a directory of its own, on a free port of the loopback interface. */
final class RedisProcess implements AutoCloseable {

    private static final RedisClient CLIENT = RedisClient.create();
    private static final File BINARY = binary();

    private final int port;
    private final Path directory;
    private final List<String> command;
    private Process process;

    private RedisProcess(int port, Path directory, List<String> command) throws IOException {
        this.port = port;
        this.directory = directory;
        this.command = command;
        this.process = launch();
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** A server that keeps its data as safely as Redis can, unless the options say otherwise. */
    static RedisProcess start(String... options) {
        return start(freePort(), options);
    }

    static RedisProcess start(int port, String... options) {
        try {
            Path directory = Files.createTempDirectory("semel-redis");
            List<String> command = new ArrayList<>(List.of(
                    BINARY.getPath(), "--port", "" + port, "--bind", "127.0.0.1", "--dir", directory.toString()));
            command.addAll(List.of("--save", "", "--appendonly", "yes", "--appendfsync", "always"));
            command.addAll(List.of("--repl-diskless-sync-delay", "0"));
            command.addAll(List.of(options));
            return new RedisProcess(port, directory, command).ready();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RedisProcess startSentinel(int masterPort, Duration patience) {
        try {
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
            return new RedisProcess(port, directory, List.of(BINARY.getPath(), config.toString(), "--sentinel"))
                    .ready();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
    }

    private RedisProcess ready() {
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> ask(RedisCommands::ping).equals("PONG"));
        return this;
    }

    int port() {
        return port;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String url() {
        return "redis://127.0.0.1:" + port;
    }

    /** Asks the server itself, over a connection of its own. */
    <T> T ask(Function<RedisCommands<String, String>, T> question) {
        RedisURI uri = RedisURI.create(url());
        uri.setTimeout(Duration.ofSeconds(10));
        try (StatefulRedisConnection<String, String> connection = CLIENT.connect(uri)) {
            return question.apply(connection.sync());
        }
    }

    /** Where this Sentinel sends clients. */
    int masterPort() {
        RedisURI uri = RedisURI.create(url());
        try (StatefulRedisSentinelConnection<String, String> connection = CLIENT.connectSentinel(uri)) {
            return ((InetSocketAddress) connection.sync().getMasterAddrByName("semel")).getPort();
        }
    }

    /** Ends the server without a chance to tidy up. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Stops the server in the middle of whatever it does: it keeps its connections, and answers nobody. */
    void freeze() {
        signal("STOP");
    }

    /** Lets a frozen server go on. */
    void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .onExit()
                    .join()
                    .exitValue();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the server again, with what it has on disk. */
    void restart() {
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ready();
    }

    /** Ends the server, and removes what it has on disk. */
    @Override
    public void close() {
        kill();
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A port below those that the system gives to outgoing connections, so that nobody takes it while the server
     * restarts. A node of a Cluster also listens on the port that is 10000 higher.
     */
    static int freePort() {
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

    private static File binary() {
        try {
            File binary = RedisExecProvider.defaultProvider().get();
            if (!binary.setExecutable(true)) {
                throw new IllegalStateException("cannot make " + binary + " executable");
            }
            return binary;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
