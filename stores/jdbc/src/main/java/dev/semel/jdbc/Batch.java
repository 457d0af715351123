package dev.semel.jdbc;

import dev.semel.KeyDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Lane} needs to know of the requests that it sends together.
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

    /** The answer of a request that came together with another one for the same key, or {@code null} to send it too. */
    @Nullable
    R answerBeside(Q first, R answer, Q second);

    /** Answers a request that, even when sent alone, finds its key in the hands of an application's transaction. */
    R answerLocked(Connection connection, Q request) throws SQLException;

    /** The answer of a request that was sent several times and answered with {@code null} each time. */
    R answerElusive(Q request);

    /** Takes note of an answer that the caller, who has cancelled, will not see. */
    void discard(Q request, R answer);
}
