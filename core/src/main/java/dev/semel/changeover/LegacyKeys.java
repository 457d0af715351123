package dev.semel.changeover;

import dev.semel.Key;
import dev.semel.Outcome;

/**
 * The application's own table of keys, which code without Semel uses as well. The application implements it with its own statements.
 *
 * <p>A row that Semel has taken carries the token of the attempt that took it. The code without Semel must treat such a row like any
 * other that is in progress, and must neither take it over nor remove it, however old it is.
 *
 * <p>The methods may block. They can be called again with the same arguments, and then do the same. An exception means that the
 * call may or may not have taken effect.
 */
public interface LegacyKeys {

    /**
     * Takes the key for an attempt, unless the code without Semel has it. In one atomic step, durable when this returns: if there is no
     * row for the key, inserts one that is in progress and has the token; if there is one that is in progress with a token that is not
     * larger, gives it the new token.
     *
     * @param operation the operation's name
     * @param token of the attempt; an attempt that takes over has a larger one than those before it
     */
    RowState claim(Key key, String operation, long token) throws Exception;

    /** Stores the operation's outcome if the row is in progress and its token is not larger; otherwise does nothing. */
    void settle(Key key, long token, Outcome outcome) throws Exception;

    /** Removes the row because the operation was not executed, if it is in progress with exactly this token. */
    void release(Key key, long token) throws Exception;

    /** The state of a key in the table. */
    sealed interface RowState {

        /** The row is the attempt's own. */
        record Taken() implements RowState {}

        /** The code without Semel runs the operation, or died while it did. */
        record InProgress() implements RowState {}

        /** The operation has ended, with what a retry gets. */
        record Settled(Outcome outcome) implements RowState {}
    }
}
