package dev.semel.messaging;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is to be done with a message after it was offered to its key. */
public sealed interface Verdict {

    /**
     * The key is settled: the broker may forget the message.
     *
     * @param executed whether the handler ran just now, or the outcome was known from before
     */
    record Settled(boolean executed) implements Verdict {}

    /**
     * The message will never be handled: it goes to the dead letters, and after that the broker may forget it.
     *
     * @param type the class name of the exception that says why
     */
    record Dead(Reason reason, String type, String message) implements Verdict {}

    /**
     * The broker must keep the message, and it is to be offered again, or if there is a rejection, to be rejected with it.
     *
     * @param atMost the longest that it makes sense to wait; zero to offer it again at once
     * @param failure what the handler or the store threw
     */
    record Again(Cause cause, Duration atMost, @Nullable Throwable failure) implements Verdict {

        /** What the handler has rejected the message with, which must not run again to say the same. */
        public @Nullable MessageRejectedException rejection() {
            return failure instanceof MessageRejectedException rejected ? rejected : null;
        }
    }

    /** Why a message is dead. */
    enum Reason {
        /** Its stored outcome is a failure. */
        FAILED,
        /** Its key belongs to a message with another content. */
        MISMATCHED,
        /** An attempt died, nobody knows what it did, and the consumer was told not to wait for somebody to find out. */
        UNKNOWN
    }

    /** Why a message must be offered again. */
    enum Cause {
        /** Somebody else is handling it. */
        IN_FLIGHT,
        /** The handler said that it had no effect, or its transaction was rolled back. */
        NOT_EXECUTED,
        /** The handler ran, and what became of it is in the key, or will be. */
        RAN,
        /** The store did not answer. */
        STORE_DOWN,
        /** An attempt died, and nobody knows what it did, until an operator or a reconciler decides. */
        UNKNOWN
    }
}
