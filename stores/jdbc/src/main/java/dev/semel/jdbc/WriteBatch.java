package dev.semel.jdbc;

import dev.semel.KeyDigest;
import dev.semel.spi.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Writes of attempts that are sent together; the answer is whether the lease was still held. */
record WriteBatch<Q>(Function<Q, Lease> lease, ToIntFunction<Q> bytes, Statement<Q> statement)
        implements Batch<Q, Boolean> {

    private static final int WEIGHT = 128;

    /** Sends the writes. */
    @FunctionalInterface
    interface Statement<Q> {
        boolean[] send(Connection connection, List<Q> requests) throws SQLException;
    }

    @Override
    public KeyDigest digest(Q request) {
        return lease.apply(request).digest();
    }

    @Override
    public int weight(Q request) {
        return WEIGHT + bytes.applyAsInt(request);
    }

    @Override
    public List<@Nullable Boolean> send(Connection connection, List<Q> requests) throws SQLException {
        List<@Nullable Boolean> held = new ArrayList<>(requests.size());
        for (boolean one : statement.send(connection, requests)) {
            held.add(one);
        }
        return held;
    }

    /** Two writes to one key are two writes. */
    @Override
    public @Nullable Boolean answerBeside(Q first, Boolean answer, Q second) {
        return null;
    }

    @Override
    public Boolean answerLocked(Connection connection, Q request) throws SQLException {
        return statement.send(connection, List.of(request))[0];
    }

    @Override
    public Boolean answerElusive(Q request) {
        return false;
    }

    @Override
    public void discard(Q request, Boolean answer) {
        // A write that its caller no longer waits for stands all the same.
    }
}
