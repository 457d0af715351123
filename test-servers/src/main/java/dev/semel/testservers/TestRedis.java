package dev.semel.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import redis.embedded.RedisServer;

/** A Redis server that keeps nothing on the disk. */
public final class TestRedis implements AutoCloseable {

    private final RedisServer server;
    private final int port;

    private TestRedis(RedisServer server, int port) {
        this.server = server;
        this.port = port;
    }

    public static TestRedis start() throws IOException {
        int port = freePort();
        RedisServer server = RedisServer.builder()
                .port(port)
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .build();
        server.start();
        return new TestRedis(server, port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public int port() {
        return port;
    }

    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() throws IOException {
        server.stop();
    }
}
