package dev.semel.torture.wire;

import dev.semel.torture.process.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One connection over a {@link DatabaseWire}, in both directions. It passes bytes on as they come. */
class WireLink {

    /** How an acknowledgement is lost. */
    enum Loss {
        NONE,
        /** The connection breaks. */
        CLOSE,
        /** The connection stays, and nothing comes any more. */
        SILENCE
    }

    static final int BUFFER = 1 << 16;

    final DatabaseWire wire;
    final Socket client;
    final Socket server;

    /** What the client has asked last. */
    volatile String asked = "";

    WireLink(DatabaseWire wire, Socket client, Socket server) throws IOException {
        this.wire = wire;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    final void start() {
        DaemonThreads.of("wire-out", () -> run(this::pumpQuestions)).start();
        DaemonThreads.of("wire-in", () -> run(this::pumpAnswers)).start();
    }

    private interface Pump {
        void run() throws IOException;
    }

    private void run(Pump pump) {
        try {
            pump.run();
        } catch (IOException e) {
            // One side is gone: the other one goes with it.
            return;
        } finally {
            close();
            wire.ended(this);
        }
    }

    /** Passes on what the client sends, until it ends. */
    void pumpQuestions() throws IOException {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] chunk = new byte[BUFFER];
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
            asked = new String(chunk, 0, n, StandardCharsets.ISO_8859_1);
            wire.holdBack(asked);
            out.write(chunk, 0, n);
            wire.sent(asked);
        }
    }

    /** Passes on what the server answers, until it ends or an acknowledgement is to be lost. */
    void pumpAnswers() throws IOException {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        byte[] chunk = new byte[BUFFER];
        boolean silent = false;
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
            Loss loss = wire.lossOf(asked);
            if (loss == Loss.CLOSE) {
                return;
            }
            silent |= loss == Loss.SILENCE;
            if (!silent) {
                wire.hold();
                out.write(chunk, 0, n);
            }
        }
    }

    final void close() {
        try (client;
                server) {
            client.setSoLinger(true, 0);
        } catch (IOException e) {
            // Closed before.
            return;
        }
    }
}
