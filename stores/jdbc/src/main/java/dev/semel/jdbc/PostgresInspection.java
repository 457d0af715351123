package dev.semel.jdbc;

import dev.semel.KeyDigest;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Purging.Purged;
import dev.semel.spi.Resolution;
import dev.semel.spi.StoreStatistics;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** What people and maintenance do in PostgreSQL. */
final class PostgresInspection implements Inspection {

    private final String find;
    private final PostgresPages pages;
    private final PostgresStatistics statistics;
    private final PostgresResolution resolution;
    private final PostgresPurge purge;
    private final PostgresImport imports;

    PostgresInspection(TableName table) {
        find = table.in("SELECT k.*, clock_timestamp() AS asked_at FROM {key} k WHERE digest = ? AND state <> 4");
        pages = new PostgresPages(table);
        statistics = new PostgresStatistics(table);
        resolution = new PostgresResolution(table);
        purge = new PostgresPurge(table);
        imports = new PostgresImport(table);
    }

    @Override
    public Optional<KeyRecord> find(Connection connection, KeyDigest digest) throws SQLException {
        try (PreparedStatement statement = PostgresDialect.prepare(connection, find)) {
            statement.setObject(1, digest.asUuid());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(PostgresRows.record(row)) : Optional.empty();
            }
        }
    }

    @Override
    public KeyPage page(Connection connection, KeyQuery query) throws SQLException {
        return pages.page(connection, query);
    }

    @Override
    public StoreStatistics statistics(Connection connection) throws SQLException {
        return statistics.read(connection);
    }

    @Override
    public boolean resolve(Connection connection, KeyDigest digest, long token, Resolution decision, String reason)
            throws SQLException {
        return resolution.resolve(connection, digest, token, decision, reason);
    }

    @Override
    public boolean importRecord(Connection connection, KeyRecord record, Instant asOf) throws SQLException {
        return imports.write(connection, record, asOf);
    }

    @Override
    public Purged purge(Connection connection, int limit) throws SQLException {
        return purge.purge(connection, limit);
    }
}
