package dev.semel.jdbc.postgres;

import static dev.semel.jdbc.postgres.statement.PostgresStatements.UNNAMED;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.TableInspection;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.dialect.Upkeep;
import dev.semel.jdbc.postgres.audit.PostgresAudit;
import dev.semel.jdbc.postgres.audit.PostgresAuditDays;
import dev.semel.jdbc.postgres.audit.PostgresAuditPages;
import dev.semel.jdbc.postgres.generations.PostgresGenerations;
import dev.semel.jdbc.postgres.generations.PostgresPurge;
import dev.semel.jdbc.postgres.statement.PostgresRows;
import dev.semel.jdbc.postgres.statement.PostgresTransaction;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Purging.Purged;
import dev.semel.spi.Resolution;
import dev.semel.spi.StoreStatistics;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queries and changes for people and maintenance in PostgreSQL. */
record PostgresInspection(
        TableName table,
        PostgresPages pages,
        PostgresStatistics statistics,
        Purge purge,
        @Nullable PostgresAuditDays auditDays)
        implements TableInspection {

    /** The last life of a key counts, even if it was released. A guard of a generation does not count. */
    private static final String FIND = """
            SELECT k.*, clock_timestamp() AS asked_at
            FROM (SELECT * FROM {key} WHERE digest = ? AND attempt > 0 ORDER BY token DESC LIMIT 1) k
            WHERE state <> 4""";

    /** Removes keys that are no longer needed. */
    @FunctionalInterface
    interface Purge {
        Purged purge(Connection connection, int limit) throws SQLException;
    }

    static PostgresInspection of(TableName table, Upkeep upkeep) {
        Duration window = upkeep.auditWindow();
        PostgresAudit audit = window == null ? null : new PostgresAudit(table);
        PostgresAuditDays auditDays = window == null ? null : new PostgresAuditDays(table, window);
        if (!upkeep.generations()) {
            return new PostgresInspection(
                    table,
                    new PostgresPages(table),
                    new PostgresStatistics(table),
                    new PostgresPurge(table, audit)::purge,
                    auditDays);
        }
        List<TableName> slots = PostgresGenerations.slots(table);
        return new PostgresInspection(
                table,
                new PostgresPages(table, slots),
                new PostgresStatistics(table, slots),
                new PostgresGenerations(table, upkeep.rotateEvery(), audit)::purge,
                auditDays);
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
        if (auditDays != null) {
            auditDays.keep(connection);
        }
    }

    @Override
    public Optional<KeyRecord> find(Connection connection, KeyDigest digest) throws SQLException {
        KeyRecord found = UNNAMED.first(connection, table.in(FIND), PostgresRows::record, digest.asUuid());
        return found == null ? new PostgresAuditPages(table).find(connection, digest) : Optional.of(found);
    }

    @Override
    public KeyPage page(Connection connection, KeyQuery query) throws SQLException {
        PostgresAuditPages auditPages = new PostgresAuditPages(table);
        String cursor = query.cursor();
        if (cursor != null && PostgresAuditPages.isCursor(cursor)) {
            return auditPages.page(connection, query);
        }
        KeyPage page = pages.page(connection, query);
        return page.next() == null ? new KeyPage(page.records(), auditPages.first(connection, query)) : page;
    }

    @Override
    public Instant now(Connection connection) throws SQLException {
        return UNNAMED.one(connection, "SELECT clock_timestamp() AS now", row -> PostgresRows.time(row, "now"));
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
            Resolution decision,
            String reason,
            RestOfTransaction rest)
            throws SQLException {
        return PostgresTransaction.run(connection, transaction -> {
            boolean resolved = new PostgresResolution(table).resolve(transaction, digest, token, decision, reason);
            if (resolved) {
                rest.write(transaction, now(transaction));
            }
            return resolved;
        });
    }

    @Override
    public boolean erase(Connection connection, KeyDigest digest, long token) throws SQLException {
        return new PostgresResolution(table).erase(connection, digest, token);
    }

    @Override
    public boolean importRecord(Connection connection, KeyRecord record, Instant asOf) throws SQLException {
        return new PostgresImport(table).write(connection, record, asOf);
    }

    @Override
    public Purged purge(Connection connection, int limit) throws SQLException {
        prepare(connection);
        return purge.purge(connection, limit);
    }
}
