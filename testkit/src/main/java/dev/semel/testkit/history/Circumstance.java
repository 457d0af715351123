package dev.semel.testkit.history;

import dev.semel.Key;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened around the requests of a {@link History}: a run of an operation, a locked key, a decision, a
 * deploy.
 */
public sealed interface Circumstance {

    /** Its place in the history, among the events. */
    int number();

    /** A run of the operation ended by itself with this outcome: one of the only outcomes that its key may have. */
    record Ended(int number, Key key, String payload) implements Circumstance {}

    /** The operation of one key calls that of another, and passes its outcome on as its own. */
    record Nested(int number, Key parent, Key child) implements Circumstance {}

    /**
     * An operator, or the application's reconciler, decided about a key, and was right.
     *
     * @param payload a digest of the outcome that was decided; {@code null} if the operation did not execute
     */
    record Decided(int number, Key key, @Nullable String payload) implements Circumstance {}

    /** The key's row is locked: a call for this key waits, or gets <em>in flight</em>. */
    record Held(int number, Key key) implements Circumstance {}

    /** The key's row is no longer locked. */
    record Freed(int number, Key key) implements Circumstance {}

    /** The lease of the request's attempt lapsed, although its process was alive and could reach the store. */
    record Lapsed(int number, String request) implements Circumstance {}

    /** The request had no answer for long, although nothing that it needs was slow. */
    record Waited(int number, String request) implements Circumstance {}

    /** A process was replaced by one with other code or another configuration. */
    record Deployed(int number, String what) implements Circumstance {}

    /** Every fault is repaired, every lease has had time to lapse, and no abandoned work is left. */
    record Calm(int number) implements Circumstance {}
}
