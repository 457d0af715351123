package dev.semel.jdbc.innodb;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.QueryFilter;
import dev.semel.jdbc.dialect.Statements;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Transactions;
import dev.semel.jdbc.row.KeyDecision;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.jdbc.row.RowInspection;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Purging.Purged;
import dev.semel.spi.Resolution;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.life.KeyLife;
import dev.semel.util.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** The queries and changes for people and maintenance in MariaDB and MySQL. */
final class InnoDbInspection extends RowInspection {

    /** Bodies can be large, and a page stops when it has enough of them. */
    private static final int FETCH = 10;

    private static final String PAGE = """
            SELECT k.*, {now} AS asked_at
            FROM {key} k
            WHERE id > ? AND id <= ? AND state <> 4 AND %s%s
            ORDER BY id
            LIMIT ?""";

    private final TableName table;
    private final InnoDbStatistics statistics;
    private final InnoDbPurge purge;
    private final InnoDbRows rows;
    private final InnoDbDialect dialect;

    InnoDbInspection(TableName table, InnoDbDialect dialect) {
        this.table = table;
        this.dialect = dialect;
        this.statistics = new InnoDbStatistics(table);
        this.purge = new InnoDbPurge(table, dialect.tokenGraceMicros());
        this.rows = InnoDbRows.patient(table);
    }

    private String in(String sql) {
        return InnoDbDialect.in(table, sql);
    }

    @Override
    public Optional<KeyRecord> find(Connection connection, KeyDigest digest) throws SQLException {
        return Optional.ofNullable(Statements.PLAIN.first(
                connection,
                in("SELECT k.*, {now} AS asked_at FROM {key} k WHERE digest = ? AND state <> 4"),
                row -> new KeyRow(row, row.getLong("asked_at")).toRecord(),
                KeyRow.bytes(digest)));
    }

    @Override
    public KeyPage page(Connection connection, KeyQuery query) throws SQLException {
        InnoDbIdRange ids = InnoDbIdRange.of(connection, table);
        long after = Math.max(after(query), ids.first() - 1);
        long end = Math.min(ids.last(), after + STRETCH);
        QueryFilter filter = QueryFilter.of(query, "k.`key`", "lower(hex(k.digest))", Micros::of);
        String sql = in(String.format(PAGE, TableInspection.condition(query.state(), "{now}"), filter.sql()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(FETCH);
            statement.setLong(1, after);
            statement.setLong(2, end);
            statement.setInt(filter.bind(statement, 3), query.limit());
            try (ResultSet rows = statement.executeQuery()) {
                return page(rows, query, end < ids.last() ? Long.toString(end) : null);
            }
        }
    }

    @Override
    public Instant now(Connection connection) throws SQLException {
        return InnoDbRows.now(connection).now();
    }

    @Override
    public StoreStatistics statistics(Connection connection) throws SQLException {
        return statistics.read(connection);
    }

    @Override
    public boolean resolve(
            Connection connection,
            KeyDigest digest,
            long token,
            Resolution resolution,
            String reason,
            RestOfTransaction rest)
            throws SQLException {
        if (resolution instanceof Resolution.Settle settle) {
            InnoDbKeyTable.requireFits(connection, settle.outcome().payload());
        }
        return super.resolve(connection, digest, token, resolution, reason, rest);
    }

    @Override
    protected <Q> boolean change(
            Connection connection,
            KeyDigest digest,
            Q request,
            KeyDecision<Q, Boolean> decision,
            RestOfTransaction rest)
            throws SQLException {
        return Transactions.run(connection, transaction -> {
            boolean changed = rows.change(transaction, digest, request, decision);
            if (changed) {
                rest.write(transaction, now(transaction));
            }
            return changed;
        });
    }

    @Override
    public boolean importRecord(Connection connection, KeyRecord record, Instant asOf) throws SQLException {
        InnoDbKeyTable.requireFits(
                connection, record.outcome() == null ? null : record.outcome().payload());
        dialect.raiseTokens(connection, table, record.token());
        return rows.change(
                connection,
                record.key().digest(),
                record,
                (key, asked, moment) -> KeyLife.importRecord(key, asked, asOf, moment));
    }

    @Override
    public Purged purge(Connection connection, int limit) throws SQLException {
        return purge.purge(connection, limit);
    }
}
