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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What people and maintenance do in PostgreSQL. */
final class PostgresInspection implements Inspection {

    private final String find;
    private final PostgresPages pages;
    private final PostgresStatistics statistics;
    private final PostgresResolution resolution;
    private final Purge purge;
    private final PostgresImport imports;

    /** Removes keys that are no longer needed. */
    @FunctionalInterface
    private interface Purge {
        Purged purge(Connection connection, int limit) throws SQLException;
    }

    private PostgresInspection(
            TableName table, PostgresPages pages, PostgresStatistics statistics, Purge purge, PostgresImport imports) {
        find = table.in("SELECT k.*, clock_timestamp() AS asked_at FROM {key} k WHERE digest = ? AND state <> 4"
                + " ORDER BY token DESC LIMIT 1");
        resolution = new PostgresResolution(table);
        this.pages = pages;
        this.statistics = statistics;
        this.purge = purge;
        this.imports = imports;
    }

    static PostgresInspection ofTable(TableName table) {
        return new PostgresInspection(
                table,
                new PostgresPages(table),
                new PostgresStatistics(table),
                new PostgresPurge(table)::purge,
                PostgresImport.intoTable(table));
    }

    static PostgresInspection ofGenerations(TableName table, @Nullable Duration rotateEvery) {
        List<TableName> slots = PostgresGenerations.slots(table);
        return new PostgresInspection(
                table,
                new PostgresPages(table, slots),
                new PostgresStatistics(table, slots),
                new PostgresGenerations(table, rotateEvery)::purge,
                PostgresImport.intoSlots(table));
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
    public boolean erase(Connection connection, KeyDigest digest, long token) throws SQLException {
        return resolution.erase(connection, digest, token);
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
