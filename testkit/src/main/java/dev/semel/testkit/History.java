package dev.semel.testkit;

import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record of what clients asked for and what they were told, in the order in which it happened. */
public final class History {

    private final List<Event> events = new ArrayList<>();
    private final Map<String, Event> invoked = new HashMap<>();

    /** What kind of event it is. */
    public enum Kind {
        /** A client sends its request. */
        INVOKE,
        /** It is told something. */
        OK,
        /** It is certain that the request had no effect. */
        FAIL,
        /** Nobody can tell: the answer was lost, or the process died. */
        UNKNOWN
    }

    /** What a client was told. */
    public enum Answer {
        /** The operation ran in this request, and its outcome is stored. */
        EXECUTED,
        /** The operation ran in this request; whether its outcome is stored is not known. */
        EXECUTED_UNSETTLED,
        REPLAYED,
        IN_FLIGHT,
        MISMATCH,
        UNKNOWN,
        EXPIRED,
        /** The operation was not executed, and the key is free again. */
        NOT_APPLIED
    }

    /**
     * Something that happened to a request.
     *
     * @param number its place in the history
     * @param payload a digest of the outcome that the client was given
     */
    public record Event(
            int number,
            Kind kind,
            String request,
            Key key,
            Fingerprint fingerprint,
            @Nullable Answer answer,
            @Nullable String payload) {

        @Override
        public String toString() {
            String told = answer == null ? "" : " " + answer + (payload == null ? "" : " " + payload);
            return "#" + number + " " + request + " " + kind + told
                    + (kind == Kind.INVOKE
                            ? " " + key.scope() + "/" + key.value() + " body "
                                    + fingerprint.toString().substring(0, 10)
                            : "");
        }
    }

    /** Notes that a request is about to be sent. Each has a name of its own. */
    public synchronized void invoke(String request, Key key, Fingerprint fingerprint) {
        Event event = new Event(events.size(), Kind.INVOKE, request, key, fingerprint, null, null);
        if (invoked.putIfAbsent(request, event) != null) {
            throw new IllegalArgumentException("request " + request + " has been invoked before; give it another name");
        }
        events.add(event);
    }

    /** Notes what the request was told. */
    public void ok(String request, Answer answer, @Nullable Outcome outcome) {
        add(request, Kind.OK, answer, outcome == null ? null : digest(outcome));
    }

    /** Notes how the request's execution ended. */
    public void ok(String request, Execution<?> execution) {
        if (execution instanceof Execution.Executed<?> executed) {
            ok(request, executed.settled() ? Answer.EXECUTED : Answer.EXECUTED_UNSETTLED, executed.outcome());
        } else if (execution instanceof Execution.Replayed<?> replayed) {
            ok(request, Answer.REPLAYED, replayed.outcome());
        } else if (execution instanceof Execution.InFlight<?>) {
            ok(request, Answer.IN_FLIGHT, null);
        } else if (execution instanceof Execution.Mismatched<?>) {
            ok(request, Answer.MISMATCH, null);
        } else if (execution instanceof Execution.Expired<?>) {
            ok(request, Answer.EXPIRED, null);
        } else {
            ok(request, Answer.UNKNOWN, null);
        }
    }

    /** Notes that the request certainly had no effect. */
    public void fail(String request) {
        add(request, Kind.FAIL, null, null);
    }

    /** Notes that nobody can tell what became of the request. */
    public void unknown(String request) {
        add(request, Kind.UNKNOWN, null, null);
    }

    private synchronized void add(String request, Kind kind, @Nullable Answer answer, @Nullable String payload) {
        Event start = invoked.get(request);
        if (start == null) {
            throw new IllegalArgumentException("request " + request + " has not been invoked");
        }
        events.add(new Event(events.size(), kind, request, start.key(), start.fingerprint(), answer, payload));
    }

    /** What happened so far. */
    public synchronized List<Event> events() {
        return List.copyOf(events);
    }

    private static String digest(Outcome outcome) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            String head = outcome.result() + "\n" + outcome.format() + "\n" + outcome.status() + "\n"
                    + outcome.contentType() + "\n" + outcome.headers();
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(head.length()).array());
            digest.update(head.getBytes(StandardCharsets.UTF_8));
            byte[] payload = outcome.payload();
            if (payload != null) {
                digest.update((byte) 1);
                digest.update(payload);
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
