package dev.semel.testservers;

import java.io.IOException;
import redis.embedded.RedisServer;
import redis.embedded.RedisServerBuilder;

/** A Redis server of its own. It keeps nothing on the disk, unless its settings say so. */
public record TestRedis(RedisServer server, int port) implements AutoCloseable {

    /** @param settings lines of its configuration, besides those that keep it to this machine and from writing snapshots */
    public static TestRedis start(String... settings) throws IOException {
        int port = TestPorts.free();
        RedisServerBuilder builder =
                RedisServer.builder().port(port).setting("bind 127.0.0.1").setting("save \"\"");
        for (String setting : settings) {
            builder.setting(setting);
        }
        RedisServer server = builder.build();
        server.start();
        return new TestRedis(server, port);
    }

    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        server.stop();
    }
}
