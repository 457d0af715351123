package dev.semel.torture.database;

import dev.semel.redis.RedisKeyStore;
import dev.semel.testservers.RedisProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** One Redis that writes to the disk before it answers. */
public record SingleRedis(RedisProcess server) implements RestorableDatabase {

    public static SingleRedis start() {
        return new SingleRedis(RedisProcess.start());
    }

    @Override
    public List<Integer> ports() {
        return List.of(server.port());
    }

    @Override
    public String url(List<Integer> ports) {
        return "redis://127.0.0.1:" + ports.get(0) + "?createIfMissing=true&timeout=2s";
    }

    @Override
    public void inspect(Look look) throws Exception {
        try (RedisKeyStore keys = RedisKeyStore.connect(server.url())) {
            look.at(keys);
        }
    }

    @Override
    public String restart(Random random) {
        server.kill();
        server.restart();
        return "of the server";
    }

    @Override
    public List<Path> files() {
        return List.of(server.directory());
    }

    @Override
    public void shutDown() {
        server.kill();
    }

    @Override
    public void startUp() {
        server.restart();
    }

    @Override
    public List<ProcessHandle> processes() {
        return List.of(server.handle());
    }

    @Override
    public void heal() {}

    @Override
    public void close() {
        server.close();
    }
}
