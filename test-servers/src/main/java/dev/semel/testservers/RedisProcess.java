package dev.semel.testservers;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** A Redis that keeps its data as safely as it can, and can be asked. */
public final class RedisProcess implements AutoCloseable {

    private static final RedisClient CLIENT = RedisClient.create();

    private final TestRedis server;

    private RedisProcess(TestRedis server) {
        this.server = server;
    }

    /** @param settings lines of its configuration, which may say otherwise */
    public static RedisProcess start(String... settings) {
        return start(freePort(), settings);
    }

    public static RedisProcess start(int port, String... settings) {
        List<String> all =
                new ArrayList<>(List.of("appendonly yes", "appendfsync always", "repl-diskless-sync-delay 0"));
        Collections.addAll(all, settings);
        try {
            return new RedisProcess(TestRedis.start(port, all.toArray(String[]::new)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static RedisProcess startSentinel(int masterPort, Duration patience) {
        try {
            return new RedisProcess(TestRedis.startSentinel(masterPort, patience));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.port();
    }

    public boolean isAlive() {
        return server.isAlive();
    }

    public String url() {
        return server.url();
    }

    /** Where it keeps what it has. */
    public Path directory() {
        return server.directory();
    }

    public ProcessHandle handle() {
        return server.handle();
    }

    /** Asks the server itself, over a connection of its own. */
    public <T> T ask(Function<RedisCommands<String, String>, T> question) {
        RedisURI uri = RedisURI.create(url());
        uri.setTimeout(Duration.ofSeconds(10));
        try (StatefulRedisConnection<String, String> connection = CLIENT.connect(uri)) {
            return question.apply(connection.sync());
        }
    }

    /** Where this Sentinel sends clients. */
    public int masterPort() {
        RedisURI uri = RedisURI.create(url());
        try (StatefulRedisSentinelConnection<String, String> connection = CLIENT.connectSentinel(uri)) {
            return ((InetSocketAddress) connection.sync().getMasterAddrByName("semel")).getPort();
        }
    }

    /** Ends the server without a chance to tidy up. */
    public void kill() {
        server.kill();
    }

    /** Stops the server in the middle of whatever it does: it keeps its connections, and does not answer. */
    public void freeze() {
        server.freeze();
    }

    /** Lets a frozen server go on. */
    public void thaw() {
        server.thaw();
    }

    /** Starts the server again, with what it has on the disk. */
    public void restart() {
        try {
            server.restart();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the server, and removes what it has on the disk. */
    @Override
    public void close() {
        server.close();
    }

    public static int freePort() {
        return TestRedis.freePort();
    }
}
