package dev.semel.jdbc.sqlite;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.row.KeyColumns;
import dev.semel.jdbc.row.KeyDecision;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.StoredKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of one SQLite transaction, in which no one else can write: each is read, decided on and written whole. */
final class SqliteRows implements AutoCloseable {

    private static final String FIND = "SELECT * FROM {key} WHERE digest = ?";
    private static final String INSERT = "INSERT" + KeyColumns.INSERT;
    private static final String DELETE = "DELETE FROM {key} WHERE id = ?";

    private final Connection connection;
    private final TableName table;
    private final long now;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    SqliteRows(Connection connection, TableName table, long now) {
        this.connection = connection;
        this.table = table;
        this.now = now;
    }

    /** Runs a request on a key and stores the result. */
    <Q, A> Change<A> change(KeyDigest digest, Q request, KeyDecision<Q, A> decision) throws SQLException {
        PreparedStatement find = statement(FIND);
        find.setBytes(1, KeyRow.bytes(digest));
        try (ResultSet found = find.executeQuery()) {
            KeyRow row = found.next() ? new KeyRow(found, now) : null;
            StoredKey key = row == null ? null : row.key();
            Change<A> change = decision.on(key, request, KeyRow.moment(now));
            if (change.changed()) {
                write(row, key, change.next());
            }
            return change;
        }
    }

    private void write(@Nullable KeyRow row, @Nullable StoredKey key, @Nullable StoredKey next) throws SQLException {
        if (row == null) {
            if (next != null) {
                PreparedStatement insert = statement(INSERT);
                KeyColumns.bindInsert(insert, next);
                insert.executeUpdate();
            }
        } else if (next == null) {
            PreparedStatement delete = statement(DELETE);
            delete.setLong(1, row.id());
            delete.executeUpdate();
        } else if (key != null && key.steps() == next.steps()) {
            PreparedStatement update = statement(KeyColumns.UPDATE_ALL_BUT_STEPS);
            KeyColumns.bindUpdate(update, next, row.id());
            update.executeUpdate();
        } else {
            PreparedStatement update = statement(KeyColumns.UPDATE_ALL);
            KeyColumns.bindUpdateOfAll(update, next, row.id());
            update.executeUpdate();
        }
    }

    private PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement prepared = statements.get(sql);
        if (prepared == null) {
            prepared = connection.prepareStatement(table.in(sql));
            statements.put(sql, prepared);
        }
        return prepared;
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement : statements.values()) {
            statement.close();
        }
    }
}
