package dev.semel.jdbc.lane;

import dev.semel.KeyDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kind of requests that a {@link Lane} sends together.
 *
 * @param <Q> a request
 * @param <R> its answer
 */
interface Batch<Q, R> {

    KeyDigest digest(Q request);

    /** About how many bytes the request adds to the batch. */
    int weight(Q request);

    /**
     * Sends the requests, sorted by digest and at most one for each key, in one transaction, and returns their answers in
     * the same order; {@code null} for a request that has to be sent again.
     */
    List<@Nullable R> send(Connection connection, List<Q> requests) throws SQLException;

    /**
     * Like {@link #send}, but waits for no row: {@code null} also for a request whose key is locked. What it costs
     * does not matter: it is only used while a key is locked for long.
     */
    List<@Nullable R> sendUnheld(Connection connection, List<Q> requests) throws SQLException;

    /** The answer of a request that came together with another one for the same key, or {@code null} to send it too. */
    @Nullable
    R answerBeside(Q first, R answer, Q second);

    /** How long a key is held before {@link #answerHeld} is asked. */
    Duration heldPatience();

    /**
     * The answer to a request whose key has been held for some time; {@code null} to keep trying. May throw {@link
     * dev.semel.store.StoreUnavailableException} to say that the answer is unknown.
     *
     * @param answerLost whether it may be the request's own row that is held, since the answer to it was lost
     */
    @Nullable
    R answerHeld(Q request, boolean answerLost);
}
