package dev.semel.messaging;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What to do with a message after its key was claimed. */
public sealed interface MessageVerdict {

    /**
     * The key is settled: the broker may forget the message.
     *
     * @param executed whether the handler ran just now, or the outcome was known from before
     */
    record Settled(boolean executed) implements MessageVerdict {}

    /**
     * The message will never be handled: it goes to the dead letters, and after that the broker may forget it. If it
     * cannot be sent there, repeat only the sending, because the message could run again if you offered it again.
     *
     * @param type the class name of the exception that says why
     */
    record Dead(Reason reason, String type, String message) implements MessageVerdict {}

    /**
     * The broker must keep the message, and you must offer it again.
     *
     * @param atMost the longest sensible wait; zero to offer it again immediately
     * @param failure what the handler or the store threw
     */
    record Again(Cause cause, Duration atMost, @Nullable Throwable failure) implements MessageVerdict {}

    /** The reason why a message is dead. */
    enum Reason {
        /** Its stored outcome is a failure. */
        FAILED,
        /** Its key belongs to a message with another content, or to another operation. */
        MISMATCHED,
        /** The outcome of an attempt is unknown, and the consumer is configured not to wait for a decision. */
        UNKNOWN,
        /** It cannot be read, or has no key. Nothing is stored, so it is handled if it comes again and can be read. */
        UNREADABLE
    }

    /** The reason why a message must be offered again. */
    enum Cause {
        /** Another consumer is handling it. */
        IN_FLIGHT,
        /** The handler said that it had no effect, or its transaction was rolled back. */
        NOT_EXECUTED,
        /** The handler was not called: the executor refused it, or its turn has not come. */
        NOT_STARTED,
        /** The handler ran, and its outcome is in the key, or will be. */
        RAN,
        /**
         * Something failed around the handler, so it is unknown what the handler did: the state of the key decides what
         * is next.
         */
        CANNOT_TELL,
        /** The message is dead or its outcome unknown, and that could not be stored yet. */
        NOT_STORED,
        /** The message could not be read for a temporary reason, such as a schema registry that is down. */
        NOT_READ,
        /** The store did not answer. */
        STORE_DOWN,
        /** The outcome of an attempt is unknown until an operator or a reconciler decides. */
        UNKNOWN
    }
}
