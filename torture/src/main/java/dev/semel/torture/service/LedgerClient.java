package dev.semel.torture.service;

import dev.semel.Key;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/**
 * The way to the ledger of effects, which is another process: what it has noted has happened, even if this node dies
 * before it hears so.
 */
public record LedgerClient(int port, String node) {

    /** How an answer begins that no effect is shown yet, before the milliseconds until all are. */
    public static final String LATE = "LATE ";

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

    /** What the ledger knows of an operation. */
    public sealed interface Finding {

        /** It had its effect, to which this outcome belongs. */
        record Done(byte[] payload) implements Finding {}

        /** It had none, and whatever was sent until now cannot have one any more. */
        record NotDone() implements Finding {}

        /** No effect is shown. If the lease of the attempt has ended for so long, it had none, and cannot have one any more. */
        record NothingYet(Duration allShownAfter) implements Finding {}
    }

    /** Asks how an operation ended. */
    public Finding reconcile(ServiceRequest.Operation operation, Key key) throws IOException {
        String answer = ask("RECONCILE " + operation + " " + key.scope() + " " + key.value());
        if (answer.startsWith(LATE)) {
            return new Finding.NothingYet(Duration.ofMillis(Long.parseLong(answer.substring(LATE.length()))));
        }
        return answer.equals("NONE")
                ? new Finding.NotDone()
                : new Finding.Done(Base64.getDecoder().decode(answer));
    }

    /** Says that an application is about to let an operation run again, because nothing was shown for long enough. */
    public void notExecuted(ServiceRequest.Operation operation, Key key) throws IOException {
        ask("NOT-EXECUTED " + operation + " " + key.scope() + " " + key.value());
    }

    /** Says that an operation has begun although its lease was known to be lost. */
    public void beganWithoutLease(ServiceRequest request) throws IOException {
        ask("WITHOUT-LEASE " + request.operation() + " " + request.scope() + " " + request.key() + " " + request.id());
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
