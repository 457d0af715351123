package dev.semel.testkit.history;

import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.util.LengthPrefixedDigest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A record of clients' requests and their answers, in the order in which they happened. */
public final class History {

    private final List<Event> events = new ArrayList<>();
    private final List<Circumstance> circumstances = new ArrayList<>();
    private final Map<String, Event> invoked = new HashMap<>();

    /** The kind of an event. */
    public enum Kind {
        /** A client sends its request. */
        INVOKE,
        /** It got an answer. */
        OK,
        /** It is certain that the request had no effect. */
        FAIL,
        /** The outcome is unknown: the answer was lost, or the process died. */
        UNKNOWN
    }

    /** The answer that a client got. */
    public enum ClientAnswer {
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
            @Nullable ClientAnswer answer,
            @Nullable String payload) {

        @Override
        public String toString() {
            String told = answer == null ? "" : " " + answer + (payload == null ? "" : " " + payload);
            return "#" + number + " " + request + " " + kind + told
                    + (kind == Kind.INVOKE
                            ? " " + key.scope() + "/" + key.value() + " body " + digestOf(fingerprint)
                            : "");
        }
    }

    /** The end of the fingerprint, which is of the request itself and not of its operation or rules. */
    private static String digestOf(Fingerprint fingerprint) {
        String text = fingerprint.toString();
        return text.substring(text.length() - 10);
    }

    /** Notes that a request is about to be sent. Each has its own name. */
    public synchronized void invoke(String request, Key key, Fingerprint fingerprint) {
        Event event = new Event(nextNumber(), Kind.INVOKE, request, key, fingerprint, null, null);
        if (invoked.putIfAbsent(request, event) != null) {
            throw new IllegalArgumentException("request " + request + " has been invoked before; give it another name");
        }
        events.add(event);
    }

    /** Records the answer to the request. */
    public void ok(String request, ClientAnswer answer, @Nullable Outcome outcome) {
        add(request, Kind.OK, answer, outcome == null ? null : digest(outcome));
    }

    /** Notes how the request's execution ended. */
    public void ok(String request, Execution<?> execution) {
        if (execution instanceof Execution.Executed<?> executed) {
            ok(
                    request,
                    executed.isStored() ? ClientAnswer.EXECUTED : ClientAnswer.EXECUTED_UNSETTLED,
                    executed.outcome());
        } else if (execution instanceof Execution.Replayed<?> replayed) {
            ok(request, ClientAnswer.REPLAYED, replayed.outcome());
        } else if (execution instanceof Execution.InFlight<?> || execution instanceof Execution.LeaseLost<?>) {
            ok(request, ClientAnswer.IN_FLIGHT, null);
        } else if (execution instanceof Execution.Mismatched<?>) {
            ok(request, ClientAnswer.MISMATCH, null);
        } else if (execution instanceof Execution.Expired<?>) {
            ok(request, ClientAnswer.EXPIRED, null);
        } else {
            ok(request, ClientAnswer.UNKNOWN, null);
        }
    }

    /** Notes that the request certainly had no effect. */
    public void fail(String request) {
        add(request, Kind.FAIL, null, null);
    }

    /** Notes that the outcome of the request is unknown. */
    public void unknown(String request) {
        add(request, Kind.UNKNOWN, null, null);
    }

    private synchronized void add(String request, Kind kind, @Nullable ClientAnswer answer, @Nullable String payload) {
        Event start = invoked.get(request);
        if (start == null) {
            throw new IllegalArgumentException("request " + request + " has not been invoked");
        }
        events.add(new Event(nextNumber(), kind, request, start.key(), start.fingerprint(), answer, payload));
    }

    /** Records the outcome of a run of the key's operation. */
    public void ended(Key key, Outcome outcome) {
        note(number -> new Circumstance.Ended(number, key, digest(outcome)));
    }

    /** Notes that the operation of {@code parent} passes on the outcome of {@code child}. */
    public void nested(Key parent, Key child) {
        note(number -> new Circumstance.Nested(number, parent, child));
    }

    /** Notes a right decision about a key; {@code null} if its operation did not execute. */
    public void decided(Key key, @Nullable Outcome outcome) {
        note(number -> new Circumstance.Decided(number, key, outcome == null ? null : digest(outcome)));
    }

    public void held(Key key) {
        note(number -> new Circumstance.Held(number, key));
    }

    public void freed(Key key) {
        note(number -> new Circumstance.Freed(number, key));
    }

    public void lapsed(String request) {
        note(number -> new Circumstance.Lapsed(number, request));
    }

    public void waited(String request) {
        note(number -> new Circumstance.Waited(number, request));
    }

    public void deployed(String what) {
        note(number -> new Circumstance.Deployed(number, what));
    }

    public void calm() {
        note(Circumstance.Calm::new);
    }

    private synchronized void note(IntFunction<Circumstance> circumstance) {
        circumstances.add(circumstance.apply(nextNumber()));
    }

    private int nextNumber() {
        return events.size() + circumstances.size();
    }

    /** The events so far. */
    public synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** The circumstances so far. */
    public synchronized List<Circumstance> circumstances() {
        return List.copyOf(circumstances);
    }

    private static String digest(Outcome outcome) {
        MessageDigest digest = LengthPrefixedDigest.newSha256();
        String head = outcome.result() + "\n" + outcome.format() + "\n" + outcome.status() + "\n"
                + outcome.contentType() + "\n" + outcome.headers();
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(head.length()).array());
        digest.update(head.getBytes(StandardCharsets.UTF_8));
        byte[] payload = outcome.payload();
        if (payload != null) {
            digest.update((byte) 1);
            digest.update(payload);
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 6);
    }
}
