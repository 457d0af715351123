package dev.semel.jdbc.innodb;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.Transactions;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.jdbc.row.OwnerWrite;
import dev.semel.spi.Lease;
import dev.semel.spi.life.Change;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * One kind of write of attempts, for many of them in one statement, which costs a fraction of as many statements. Rows that are
 * not as their attempts have left them are locked and decided on as they are.
 */
record InnoDbWrite<Q>(OwnerWrite<Q> write, ToIntFunction<Q> bytes, Statement statement, InnoDbRows rows) {

    /** The maximum size of large values in one statement; larger batches are sent one by one, in one commit. */
    private static final int MOST_BYTES = 1 << 20;

    /** The text for a number of writes. Each has the values of the write, then the digest, the nonce and the token. */
    @FunctionalInterface
    interface Statement {
        String sql(int writes);
    }

    boolean[] run(Connection connection, List<Q> requests) throws SQLException {
        boolean[] held = new boolean[requests.size()];
        List<Change<Boolean>> changes = new ArrayList<>();
        long total = 0;
        for (Q request : requests) {
            Change<Boolean> change = write.asClaimed(request, OwnerWrite.RELATIVE);
            if (change == null) {
                return rows.change(connection, requests, this::digest, write.decision());
            }
            changes.add(change);
            total += bytes.applyAsInt(request);
        }
        if (total <= MOST_BYTES || requests.size() == 1) {
            Arrays.fill(held, send(connection, requests, changes));
        } else {
            Transactions.join(connection, transaction -> {
                for (int i = 0; i < held.length; i++) {
                    held[i] = send(transaction, requests.subList(i, i + 1), changes.subList(i, i + 1));
                }
                return held;
            });
        }
        changeOthers(connection, requests, held);
        return held;
    }

    private KeyDigest digest(Q request) {
        return write.lease().apply(request).digest();
    }

    /** Whether all rows were as their attempts have left them. */
    private boolean send(Connection connection, List<Q> requests, List<Change<Boolean>> changes) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(statement.sql(requests.size()))) {
            int next = 1;
            for (int i = 0; i < requests.size(); i++) {
                Lease lease = write.lease().apply(requests.get(i));
                next = write.binder().bind(update, next, changes.get(i).next());
                update.setBytes(next, KeyRow.bytes(lease.digest()));
                next = OwnerWrite.bindAsClaimed(update, next + 1, lease);
            }
            return update.executeUpdate() == requests.size();
        }
    }

    private void changeOthers(Connection connection, List<Q> requests, boolean[] held) throws SQLException {
        List<Q> others = new ArrayList<>();
        for (int i = 0; i < held.length; i++) {
            if (!held[i]) {
                others.add(requests.get(i));
            }
        }
        if (others.isEmpty()) {
            return;
        }
        boolean[] answers = rows.change(connection, others, this::digest, write.decision());
        int next = 0;
        for (int i = 0; i < held.length; i++) {
            if (!held[i]) {
                held[i] = answers[next++];
            }
        }
    }
}
