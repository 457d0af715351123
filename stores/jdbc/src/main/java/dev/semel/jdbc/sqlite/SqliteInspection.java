package dev.semel.jdbc.sqlite;

import static dev.semel.jdbc.dialect.Statements.PLAIN;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.QueryFilter;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.row.KeyDecision;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.jdbc.row.RowInspection;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Purging.Purged;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.life.KeyLife;
import dev.semel.util.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queries and changes for people and maintenance in SQLite. */
final class SqliteInspection extends RowInspection {

    private static final String PAGE = """
            SELECT k.*, ? AS asked_at
            FROM {key} k
            WHERE k.id > ? AND k.id <= ?%s
            ORDER BY k.id""";

    private final SqliteTransaction writer;
    private final TableName table;
    private final SqliteStatistics statistics;
    private long purgedUpTo;

    SqliteInspection(TableName table, SqliteTransaction writer) {
        this.table = table;
        this.writer = writer;
        this.statistics = new SqliteStatistics(table);
    }

    @Override
    public Optional<KeyRecord> find(Connection connection, KeyDigest digest) throws SQLException {
        long now = SqliteTransaction.now(connection);
        return Optional.ofNullable(PLAIN.first(
                connection,
                table.in("SELECT * FROM {key} WHERE digest = ?"),
                row -> new KeyRow(row, now).toRecord(),
                KeyRow.bytes(digest)));
    }

    @Override
    public KeyPage page(Connection connection, KeyQuery query) throws SQLException {
        long after = after(query);
        long last = lastId(connection);
        long end = unsettled(query.state()) ? last : Math.min(last, after + STRETCH);
        QueryFilter filter = QueryFilter.of(query, "k.key", "lower(hex(k.digest))", Micros::of);
        String sql = String.format(PAGE, (unsettled(query.state()) ? " AND k.state < 2" : "") + filter.sql());
        try (PreparedStatement statement = connection.prepareStatement(table.in(sql))) {
            statement.setLong(1, SqliteTransaction.now(connection));
            statement.setLong(2, after);
            statement.setLong(3, end);
            filter.bind(statement, 4);
            try (ResultSet rows = statement.executeQuery()) {
                return page(rows, query, end < last ? Long.toString(end) : null);
            }
        }
    }

    private static boolean unsettled(@Nullable KeyState state) {
        return state == KeyState.PENDING || state == KeyState.LAPSED || state == KeyState.UNKNOWN;
    }

    private long lastId(Connection connection) throws SQLException {
        return PLAIN.one(connection, table.in("SELECT coalesce(max(id), 0) FROM {key}"), row -> row.getLong(1));
    }

    @Override
    public Instant now(Connection connection) throws SQLException {
        return Micros.toInstant(SqliteTransaction.now(connection));
    }

    @Override
    public StoreStatistics statistics(Connection connection) throws SQLException {
        return statistics.read(connection);
    }

    @Override
    public void write(Connection connection, RestOfTransaction all) throws SQLException {
        writer.run(connection, (shared, now) -> {
            all.write(shared, Micros.toInstant(now));
            return true;
        });
    }

    @Override
    protected <Q> boolean change(
            Connection connection,
            KeyDigest digest,
            Q request,
            KeyDecision<Q, Boolean> decision,
            RestOfTransaction rest)
            throws SQLException {
        return writer.run(connection, (shared, now) -> {
            try (SqliteRows rows = new SqliteRows(shared, table, now)) {
                boolean changed = rows.change(digest, request, decision).answer();
                if (changed) {
                    rest.write(shared, Micros.toInstant(now));
                }
                return changed;
            }
        });
    }

    @Override
    public boolean importRecord(Connection connection, KeyRecord record, Instant asOf) throws SQLException {
        return writer.run(connection, (shared, now) -> {
            SqliteClaims.raiseTokens(shared, table, record.token());
            try (SqliteRows rows = new SqliteRows(shared, table, now)) {
                return rows.change(
                                record.key().digest(),
                                record,
                                (key, asked, moment) -> KeyLife.importRecord(key, asked, asOf, moment))
                        .answer();
            }
        });
    }

    /** Removes records that have outlived their retention from the next range of rows, in circles. */
    @Override
    public synchronized Purged purge(Connection connection, int limit) throws SQLException {
        long last = lastId(connection);
        long first = purgedUpTo >= last ? 0 : purgedUpTo;
        long end = Math.min(last, first + STRETCH);
        String sql = table.in("DELETE FROM {key} WHERE id IN (SELECT id FROM {key} WHERE id > ? AND id <= ?"
                + " AND state >= 2 AND purge_at <= ? LIMIT ?)");
        int removed = writer.run(connection, (shared, now) -> PLAIN.update(shared, sql, first, end, now, limit));
        if (removed < limit) {
            purgedUpTo = end;
        }
        return new Purged(removed, removed == limit || end < last);
    }
}
