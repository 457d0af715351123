package dev.semel.jdbc.postgres;

import static dev.semel.jdbc.postgres.statement.PostgresStatements.UNNAMED;

import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.jdbc.row.KeyRow;
import dev.semel.jdbc.row.StoredHeaders;
import dev.semel.jdbc.row.StoredHistory;
import dev.semel.jdbc.row.StoredSteps;
import dev.semel.policy.Retention;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.life.RetentionText;
import dev.semel.util.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes over records of other stores. */
record PostgresImport(TableName table) {

    /**
     * Sets the sequence beyond the token, if it is not there yet. It is set further than to the token, because sessions go
     * on taking tokens between the look and the leap.
     */
    private static final String RAISE =
            "SELECT CASE WHEN last_value < ? THEN setval('{key}_token', ? + 1000000) END FROM {key}_token";

    private static final String IMPORT = """
            SELECT {key}_import(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::smallint, ?::smallint, ?::smallint, ?, ?, ?, ?,
                ?, ?, ?, ?)""";

    private static final String SAME =
            "SELECT 1 FROM {key} WHERE digest = ? AND token = ? AND state = ? AND fingerprint = ?";

    boolean write(Connection connection, KeyRecord record, Instant asOf) throws SQLException {
        UNNAMED.one(connection, table.in(RAISE), raised -> true, record.token(), record.token());
        try (PreparedStatement statement = PostgresStatements.prepare(connection, table.in(IMPORT))) {
            bind(statement, record, asOf);
            try (ResultSet row = statement.executeQuery()) {
                return (row.next() && row.getBoolean(1)) || isThere(connection, record);
            }
        }
    }

    /** Whether the record was imported before. */
    private boolean isThere(Connection connection, KeyRecord record) throws SQLException {
        return UNNAMED.first(
                        connection,
                        table.in(SAME),
                        found -> true,
                        record.key().digest().asUuid(),
                        record.token(),
                        KeyRow.state(record),
                        record.fingerprint().bytes())
                != null;
    }

    private static void bind(PreparedStatement statement, KeyRecord record, Instant asOf) throws SQLException {
        Namespace namespace = record.key().namespace();
        String traceId = record.origin();
        Outcome outcome = record.outcome();
        statement.setObject(1, record.key().digest().asUuid());
        statement.setObject(2, UUID.randomUUID());
        statement.setLong(3, record.token());
        setTime(statement, 4, record.claimedAt(), asOf);
        setTime(statement, 5, record.leaseUntil(), asOf);
        statement.setInt(6, record.attempt());
        statement.setBytes(7, record.fingerprint().bytes());
        statement.setString(8, namespace.equals(Namespace.DEFAULT) ? null : namespace.toString());
        statement.setString(9, record.key().scope());
        statement.setString(10, record.key().value());
        statement.setString(11, record.operation());
        statement.setString(12, traceId == null ? null : traceId.replace('\0', '?'));
        statement.setString(13, RetentionText.encode(record.retention()));
        statement.setInt(14, KeyRow.state(record));
        statement.setObject(15, outcome == null ? null : outcome.status(), Types.INTEGER);
        statement.setObject(16, outcome == null ? null : outcome.format(), Types.INTEGER);
        setTime(statement, 17, record.settledAt(), asOf);
        setTime(statement, 18, record.expiresAt(), asOf);
        setTime(statement, 19, later(record, Retention::tombstone), asOf);
        setTime(statement, 20, later(record, Retention::audit), asOf);
        statement.setBytes(21, outcome == null ? null : StoredHeaders.encode(outcome));
        statement.setBytes(22, StoredSteps.encode(record.steps()));
        statement.setString(23, StoredHistory.encode(record.history()));
        statement.setBytes(24, outcome == null ? null : outcome.payload());
    }

    /** When a window that follows the expiry ends; {@code null} if there is none. */
    private static @Nullable Instant later(KeyRecord record, Function<Retention, Duration> window) {
        Instant expiresAt = record.expiresAt();
        Duration length = window.apply(record.retention());
        return expiresAt == null || length.isZero() ? null : expiresAt.plus(length);
    }

    private static void setTime(PreparedStatement statement, int index, @Nullable Instant time, Instant asOf)
            throws SQLException {
        statement.setObject(index, time == null ? null : Micros.of(Duration.between(asOf, time)), Types.BIGINT);
    }
}
