package dev.semel.torture.load;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import org.jspecify.annotations.Nullable;

/** One logical operation of a client, with all its duplicates and retries. */
public final class Story {

    /** How long an operation takes that adds nothing to the time that its recovery takes. */
    private static final long SHORT_MILLIS = 100;

    private static final long NEVER = Long.MIN_VALUE;

    private final Operation operation;
    private final Key key;
    private final String body;
    private final long work;
    private final Behaviour behaviour;
    private final boolean strict;
    private volatile @Nullable Fingerprint settledAs;
    private volatile long toldAt;
    private volatile boolean ended;
    private volatile long ownerDiedAt = NEVER;
    private volatile boolean blocked;
    private volatile @Nullable Life life;
    private final long bornAt = System.nanoTime();
    private volatile boolean closed;

    public Story(Operation operation, Key key, String body, long work, Behaviour behaviour, boolean strict) {
        this(operation, key, body, work, behaviour, strict, null);
    }

    /** @param life the first life of a key that is forgotten; {@code null} for others */
    Story(
            Operation operation,
            Key key,
            String body,
            long work,
            Behaviour behaviour,
            boolean strict,
            @Nullable Life life) {
        this.operation = operation;
        this.key = key;
        this.body = body;
        this.work = work;
        this.behaviour = behaviour;
        this.strict = strict;
        this.life = life;
    }

    Operation operation() {
        return operation;
    }

    Key key() {
        return key;
    }

    String body() {
        return body;
    }

    long work() {
        return work;
    }

    Behaviour behaviour() {
        return behaviour;
    }

    /**
     * Whether other bodies are sent under its key, and therefore all its requests go to nodes with one version of the
     * fingerprint: those of different versions cannot be compared, and never count as a mismatch.
     */
    boolean isStrict() {
        return strict;
    }

    /** The fingerprint of a request that was given a stored outcome; {@code null} as long as there is none. */
    @Nullable
    Fingerprint settledAs() {
        return settledAs;
    }

    /** Whether a client got an answer, even if only that the outcome is unknown, or it is too late to ask. */
    boolean hasEnded() {
        return ended || isOver();
    }

    /** The life that the key is in; {@code null} if it is never forgotten. */
    @Nullable
    Life life() {
        return life;
    }

    /** Whether the key may have been forgotten by now. */
    boolean isOver() {
        Life current = life;
        return closed || (current != null && current.isOver());
    }

    /** Begins the next life of the key. A tombstone is not asked again and again. */
    void liveOn(Life next) {
        settledAs = null;
        ended = next.isTombstone();
        blocked = false;
        ownerDiedAt = NEVER;
        life = next;
    }

    void settled(Fingerprint fingerprint) {
        if (settledAs == null) {
            toldAt = System.nanoTime();
        }
        settledAs = fingerprint;
        ended = true;
        Life current = life;
        if (current != null) {
            current.settled();
        }
    }

    /** Whether a client had been given the outcome by then. */
    boolean wasToldBefore(long moment) {
        return settledAs != null && toldAt < moment;
    }

    void end() {
        ended = true;
    }

    /** Whether none of its requests was sent before that moment. */
    boolean isBornAfter(long moment) {
        return bornAt - moment > 0;
    }

    /** The store has forgotten the key: what clients know of it counts no more. */
    void beginAgain() {
        settledAs = null;
        ended = false;
        blocked = false;
        ownerDiedAt = NEVER;
    }

    /** No client asks any more: what the store knows of the key cannot be known. */
    void close() {
        settledAs = null;
        ownerDiedAt = NEVER;
        closed = true;
    }

    /** A node was killed while it had a request of this story. */
    void ownerDied(long at) {
        ownerDiedAt = at;
    }

    /** No client waits for the end any more. */
    void giveUp() {
        ownerDiedAt = NEVER;
    }

    /** A request met the claim of another. */
    void block() {
        blocked = true;
    }

    /** When the node died that owned the key of a short operation, if one did; {@code null} otherwise. */
    @Nullable
    Long recoversSince() {
        return ownerDiedAt != NEVER && blocked && work < SHORT_MILLIS ? ownerDiedAt : null;
    }

    @Override
    public String toString() {
        return operation + " " + key.scope() + "/" + key.value();
    }
}
