package dev.semel.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A proxy without any of the gateway's checks: it passes on every byte as it is. */
final class NaiveProxy implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int upstream;

    NaiveProxy(int upstream) throws IOException {
        this.upstream = upstream;
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "naive proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Socket service = new Socket(InetAddress.getLoopbackAddress(), upstream);
                start(() -> pass(client, service));
                start(() -> pass(service, client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException closed) {
            // One side has closed, and so does the other.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
