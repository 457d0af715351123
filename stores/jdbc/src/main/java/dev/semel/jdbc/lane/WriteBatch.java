package dev.semel.jdbc.lane;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.spi.Lease;
import dev.semel.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes of attempts that are sent together; the answer is whether the lease was still held.
 *
 * @param failsWhenHeld how long a row may be held before a write to it fails, or {@code null} if it is tried until its
 *     caller gives up
 */
record WriteBatch<Q>(
        KeyTable table,
        Function<Q, Lease> lease,
        ToIntFunction<Q> bytes,
        Statement<Q> statement,
        @Nullable Duration failsWhenHeld)
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
    public List<@Nullable Boolean> sendUnheld(Connection connection, List<Q> requests) throws SQLException {
        List<KeyDigest> digests = requests.stream().map(this::digest).toList();
        return table.inTransaction(connection, transaction -> {
            Set<KeyDigest> held = table.lockUnheld(transaction, digests);
            List<Q> unheld = requests.stream()
                    .filter(request -> !held.contains(digest(request)))
                    .toList();
            Iterator<@Nullable Boolean> answers = unheld.isEmpty()
                    ? Collections.emptyIterator()
                    : send(transaction, unheld).iterator();
            List<@Nullable Boolean> all = new ArrayList<>(requests.size());
            digests.forEach(digest -> all.add(held.contains(digest) ? null : answers.next()));
            return all;
        });
    }

    @Override
    public Duration heldPatience() {
        return failsWhenHeld == null ? Duration.ofDays(1) : failsWhenHeld;
    }

    @Override
    public @Nullable Boolean answerHeld(Q request, boolean answerLost) {
        if (failsWhenHeld == null) {
            return null;
        }
        throw new StoreUnavailableException(
                "the row of " + digest(request) + " is held by another transaction, and could not be written to", null);
    }
}
