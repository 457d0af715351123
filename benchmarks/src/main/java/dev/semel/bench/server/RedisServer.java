package dev.semel.bench.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import redis.embedded.RedisExecProvider;

/** A Redis of the benchmark's own, which writes to the disk before it answers. */
public final class RedisServer implements AutoCloseable {

    private final ServerProcess process;

    private RedisServer(ServerProcess process) {
        this.process = process;
    }

    public static RedisServer start(Path directory) throws IOException {
        File binary = RedisExecProvider.defaultProvider().get();
        if (!binary.setExecutable(true)) {
            throw new IOException("cannot make " + binary + " executable");
        }
        int port = ServerProcess.freePort();
        return new RedisServer(ServerProcess.start(
                directory.resolve("redis.log"),
                port,
                binary.getPath(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                directory.toString(),
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                "always"));
    }

    public String url() {
        return "redis://127.0.0.1:" + process.port();
    }

    @Override
    public void close() {
        process.close();
    }
}
