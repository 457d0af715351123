package dev.semel.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports for servers that cannot choose one themselves. */
public final class TestPorts {

    private TestPorts() {}

    public static int free() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
