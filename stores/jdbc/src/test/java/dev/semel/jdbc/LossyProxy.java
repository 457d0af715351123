package dev.semel.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Stands between a client and a server, and loses an answer when it is told to. */
final class LossyProxy implements AutoCloseable {

    /** How an answer is lost. */
    enum Loss {
        NONE,
        /** The connection breaks. */
        CLOSE,
        /** The connection stays, and nothing comes any more. */
        SILENCE
    }

    private final int serverPort;
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Loss> next = new AtomicReference<>(Loss.NONE);
    private final AtomicInteger lost = new AtomicInteger();
    private volatile boolean swallows;

    LossyProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Loses the next answer of the server, after the server has sent it. */
    void loseNextAnswer(Loss how) {
        next.set(how);
    }

    /** From now on, no answer arrives. */
    void swallowAnswers() {
        swallows = true;
    }

    /** Breaks all connections, and lets new ones work again. */
    void recover() throws IOException {
        swallows = false;
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    int lostAnswers() {
        return lost.get();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "lossy-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                sockets.add(client);
                sockets.add(server);
                start(() -> pump(client, server, false));
                start(() -> pump(server, client, true));
            }
        } catch (IOException e) {
            // Closed: nobody connects any more.
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[16 * 1024];
        boolean silent = false;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                Loss loss = answers ? next.getAndSet(Loss.NONE) : Loss.NONE;
                if (loss != Loss.NONE) {
                    lost.incrementAndGet();
                }
                if (loss == Loss.CLOSE) {
                    return;
                }
                silent |= loss == Loss.SILENCE || (answers && swallows);
                if (!silent) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // One side is gone: the other one is closed with it.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
