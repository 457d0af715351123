package dev.semel.redis;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A port that is put through to one server, and later to another: what clients see of a failover. */
final class Switchboard implements AutoCloseable {

    private final ServerSocket socket;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> swallowing = ConcurrentHashMap.newKeySet();
    private volatile int target;

    Switchboard(int target) {
        this.target = target;
        try {
            this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    String url() {
        return "redis://127.0.0.1:" + socket.getLocalPort();
    }

    /** Cuts all connections; new ones go to this port. */
    void switchTo(int port) {
        target = port;
        open.forEach(Switchboard::close);
        open.clear();
    }

    /** From now on all connections swallow what is sent over them, as behind a firewall that forgot them. */
    void swallow() {
        swallowing.addAll(open);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(client);
                open.add(server);
                start(() -> copy(client, server));
                start(() -> copy(server, client));
            }
        } catch (IOException e) {
            // Closed: nobody is put through any more.
            open.forEach(Switchboard::close);
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                if (!swallowing.contains(from)) {
                    to.getOutputStream().write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            close(to);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "switchboard");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        close(socket);
        open.forEach(Switchboard::close);
    }
}
