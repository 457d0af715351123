package dev.semel.jdbc.innodb;

import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Transactions;
import dev.semel.jdbc.row.KeyRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;

/** Claims in MariaDB, whose statements can skip waiting for locks, and return what they have inserted. */
final class MariaDbClaims extends InnoDbClaims {

    private static final String LOCK =
            "SELECT k.*, {now} AS asked_at, NEXTVAL({key}_token) AS next_token FROM {key} k WHERE id IN ";

    private static final String ROW = "(NEXTVAL({key}_token)" + VALUES;

    private final String insert;
    private final String row;

    /** @param impatient makes a statement that does not wait for locks */
    MariaDbClaims(TableName table, UnaryOperator<String> impatient) {
        super(table, impatient.apply(InnoDbDialect.in(table, LOCK)));
        insert = impatient.apply(InnoDbDialect.in(table, INSERT));
        row = InnoDbDialect.in(table, ROW);
    }

    /** Fails if another transaction holds a new key. */
    @Override
    void lookAndInsert(Connection connection, Batch batch) throws SQLException {
        look(connection, batch, List.copyOf(batch.absent.keySet()));
        if (!batch.absent.isEmpty()) {
            insert(connection, batch, batch.absentIndexes());
        }
    }

    @Override
    void lookAndInsertUnheld(Connection connection, Batch batch) throws SQLException {
        look(connection, batch, List.copyOf(batch.absent.keySet()));
        if (batch.absent.isEmpty()) {
            return;
        }
        Transactions.join(connection, transaction -> {
            for (int index : batch.absentIndexes()) {
                insertUnlessHeld(transaction, batch, index);
            }
            return batch;
        });
    }

    private void insertUnlessHeld(Connection connection, Batch batch, int index) throws SQLException {
        try {
            insert(connection, batch, List.of(index));
        } catch (SQLException e) {
            // Ends the statement, and not the transaction.
            if (!InnoDbDialect.isLocked(e)) {
                throw e;
            }
        }
    }

    private void insert(Connection connection, Batch batch, List<Integer> indexes) throws SQLException {
        String sql = insert + (row + ", ").repeat(indexes.size() - 1) + row + " RETURNING digest, token";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            for (int index : indexes) {
                next = bind(statement, next, batch.requests.get(index));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Integer index = batch.absent.get(KeyRow.digest(rows.getBytes(1)));
                    if (index != null) {
                        batch.acquired(index, rows.getLong(2));
                    }
                }
            }
        }
    }
}
