package dev.semel.torture.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for servers that are started again. */
public final class Ports {

    /** Below those that the operating system gives to connections, which may take the port of a server that is down. */
    private static final int FIRST = 15_000;

    private static final int LAST = 32_000;

    private Ports() {}

    public static int free() throws IOException {
        for (int tries = 0; tries < 100; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // In use: the next one.
                continue;
            }
        }
        throw new IOException("no free port between " + FIRST + " and " + LAST);
    }
}
