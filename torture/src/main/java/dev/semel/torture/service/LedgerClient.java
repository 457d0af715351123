package dev.semel.torture.service;

import dev.semel.Key;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The way to the ledger of effects, which is another process: what it has noted has happened, even if this node dies
 * before it hears so.
 */
public record LedgerClient(int port, String node) {

    /**
     * Has an effect. The answer is {@code OK}, or {@code FENCED} if the ledger has seen a larger fencing token for this key, or
     * {@code CLOSED} if an operator or a reconciler has learned that there is no effect, and will be none.
     */
    String effect(ServiceRequest request, int attempt, long token, byte[] outcome) throws IOException {
        return ask("EFFECT " + request.operation() + " " + request.scope() + " " + request.key() + " " + request.id()
                + " " + attempt + " " + token + " " + Base64.getEncoder().encodeToString(outcome));
    }

    /** Says what a step has given whose result is durable. */
    void recorded(ServiceRequest request, long token, String step, String result) throws IOException {
        ask("STEP " + request.operation() + " " + request.scope() + " " + request.key() + " " + request.id() + " "
                + token + " " + step + " " + result);
    }

    /**
     * Asks how an operation ended: the outcome that belongs to its effect. If it had none, whatever was sent until now
     * cannot have one any more.
     */
    public Optional<byte[]> reconcile(ServiceRequest.Operation operation, Key key) throws IOException {
        String answer = ask("RECONCILE " + operation + " " + key.scope() + " " + key.value());
        return answer.equals("NONE")
                ? Optional.empty()
                : Optional.of(Base64.getDecoder().decode(answer));
    }

    /** Says that this node has come to a failpoint that was armed. */
    void reached(String point) throws IOException {
        ask("POINT " + node + " " + point);
    }

    /** Says that this node has come to a point where it is to be suspended. */
    void stopsAt(String point) throws IOException {
        ask("STOP " + node + " " + point);
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
