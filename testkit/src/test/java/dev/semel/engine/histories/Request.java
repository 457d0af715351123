package dev.semel.engine.histories;

import dev.semel.Attempt;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request of a client, and its state. */
final class Request {

    /** How the operation ends, if it runs in this request. */
    enum Fate {
        PROMPT,
        SLOW,
        DECLINED,
        NOT_EXECUTED,
        CANNOT_TELL
    }

    final String name;
    final Release.Kind kind;

    /** The key that names what the client truly wants, whatever a release makes of it. */
    final Key key;

    final String body;
    final Fate fate;
    final boolean inAStep;
    final Node node;
    final AtomicBoolean over = new AtomicBoolean();

    /** Completed when a slow operation may end. */
    final CompletableFuture<Void> slow = new CompletableFuture<>();

    volatile Attempt attempt;
    volatile boolean effected;

    /** Whether something was done to its node or its key, so that its lease may lapse. */
    volatile boolean excused;

    /** Whether its heartbeat was waited for in vain. */
    boolean late;

    Request(String name, Release.Kind kind, Key key, String body, Fate fate, boolean inAStep, Node node) {
        this.name = name;
        this.kind = kind;
        this.key = key;
        this.body = body;
        this.fate = fate;
        this.inAStep = inAStep;
        this.node = node;
    }

    Fingerprint intent() {
        return node.release.intent(kind, body);
    }

    Key engineKey() {
        return node.release.key(kind, key);
    }

    boolean isStarted() {
        return attempt != null;
    }

    /** Whether its operation has started, and it is not yet known whether it will have an effect. */
    boolean isUndecided() {
        return isStarted() && !effected && !over.get() && !node.dead;
    }

    /** Whether its operation runs and takes its time, so that its lease must be kept. */
    boolean isRunningSlowly() {
        return fate == Fate.SLOW && effected && !over.get() && !slow.isDone() && !node.dead;
    }

    static Outcome receipt(String text) {
        return (text.startsWith("declined") ? Outcome.failed() : Outcome.succeeded())
                .payload(text)
                .build();
    }
}
