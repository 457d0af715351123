package dev.semel.jdbc.innodb;

import dev.semel.Fingerprint;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.row.KeyColumns;
import dev.semel.spi.life.StoredKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Writes to rows that the transaction has locked, collected while they are read, and sent together. */
final class InnoDbRowWrites implements AutoCloseable {

    /**
     * The trace of a key that was released or erased: its name and its last token, for ten minutes. A claim that is
     * stuck in the middle must not get an older one.
     */
    static final String FORGOTTEN = """
            state = 4, operation = '', trace_id = NULL, headers = NULL, steps = NULL, history = NULL, body = NULL,
                expires_at = 0, free_at = 0, purge_at = {now} + 600000000, fingerprint = ?""";

    /** Binds the parameters of {@link #FORGOTTEN}. */
    static final byte[] NO_FINGERPRINT = new byte[Fingerprint.LENGTH];

    private final PreparedStatement update;
    private final PreparedStatement updateAll;
    private final PreparedStatement forget;

    InnoDbRowWrites(Connection connection, TableName table) throws SQLException {
        update = connection.prepareStatement(table.in(KeyColumns.UPDATE_ALL_BUT_STEPS));
        updateAll = connection.prepareStatement(table.in(KeyColumns.UPDATE_ALL));
        forget =
                connection.prepareStatement(InnoDbDialect.in(table, "UPDATE {key} SET " + FORGOTTEN + " WHERE id = ?"));
    }

    /** Updates a row to the key that a call has left in it. */
    void add(long id, @Nullable StoredKey key, @Nullable StoredKey next) throws SQLException {
        if (next == null) {
            forget.setBytes(1, NO_FINGERPRINT);
            forget.setLong(2, id);
            forget.addBatch();
        } else if (key != null && key.steps() == next.steps()) {
            KeyColumns.bindUpdate(update, next, id);
            update.addBatch();
        } else {
            KeyColumns.bindUpdateOfAll(updateAll, next, id);
            updateAll.addBatch();
        }
    }

    void send() throws SQLException {
        update.executeBatch();
        updateAll.executeBatch();
        forget.executeBatch();
    }

    @Override
    public void close() throws SQLException {
        try (update;
                updateAll;
                forget) {
            // Closed by leaving the block, each even if another one fails.
        }
    }
}
