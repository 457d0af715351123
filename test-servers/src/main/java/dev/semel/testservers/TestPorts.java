package dev.semel.testservers;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that cannot choose one themselves. They are below those that Linux gives to outgoing connections, which would
 * otherwise take one before its server has started.
 */
public final class TestPorts {

    private static final int FIRST = 16_000;
    private static final int END = 32_000;
    private static final int TRIES = 100;

    private TestPorts() {}

    public static int free() throws IOException {
        for (int tries = 0; tries < TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException e) {
                // Another server has it.
            }
        }
        throw new IOException("no free port among " + TRIES + " between " + FIRST + " and " + END);
    }
}
