package dev.semel.torture.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The way to the ledger of effects, which is another process: what it has noted has happened, even if this node dies
 * before it hears so.
 */
public record LedgerClient(int port, String node) {

    /** Has an effect. The answer is {@code false} if the ledger has seen a larger fencing token for this key. */
    boolean effect(ServiceRequest request, int attempt, long token) throws IOException {
        return "OK"
                .equals(ask("EFFECT " + request.operation() + " " + request.scope() + " " + request.key() + " "
                        + request.id() + " " + attempt + " " + token));
    }

    /** Says that this node has come to a failpoint that was armed. */
    void reached(String point) throws IOException {
        ask("POINT " + node + " " + point);
    }

    /** Says that an attempt which had lost its lease was refused. */
    public void fencedOff(String write) throws IOException {
        ask("FENCED " + node + " " + write);
    }

    private String ask(String line) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }
}
