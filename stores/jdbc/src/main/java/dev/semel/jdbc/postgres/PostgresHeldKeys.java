package dev.semel.jdbc.postgres;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.jdbc.postgres.statement.PostgresStatements;
import dev.semel.jdbc.postgres.statement.PostgresTransaction;
import dev.semel.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Finds out which keys other transactions hold, without waiting for them. All of it is part of a transaction. */
final class PostgresHeldKeys {

    /** A claim that is part of a transaction of the application holds this lock until it is over. */
    private static final String BEING_CLAIMED = """
            SELECT digest FROM unnest(?::uuid[]) AS digest
            WHERE NOT pg_try_advisory_xact_lock_shared(hashtextextended(digest::text, 0))""";

    private final String held;

    PostgresHeldKeys(TableName table) {
        held = table.in("SELECT {key}_held(?)");
    }

    /** Work that may run into a lock. */
    interface Claims {
        void run() throws SQLException;
    }

    Set<KeyDigest> lockUnheld(Connection connection, List<KeyDigest> digests) throws SQLException {
        return find(connection, held, digests);
    }

    /** The keys that, as far as is known, no transaction of the application is claiming. */
    List<ClaimRequest> notBeingClaimed(Connection connection, List<ClaimRequest> requests) throws SQLException {
        if (requests.isEmpty()) {
            return requests;
        }
        List<KeyDigest> digests =
                requests.stream().map(request -> request.key().digest()).toList();
        Set<KeyDigest> beingClaimed = find(connection, BEING_CLAIMED, digests);
        return requests.stream()
                .filter(request -> !beingClaimed.contains(request.key().digest()))
                .toList();
    }

    /** {@code false} if it ran into a lock, and then nothing of it was done. */
    boolean tryTo(Connection connection, Claims work) throws SQLException {
        PostgresTransaction.execute(connection, "SAVEPOINT semel_held");
        try {
            work.run();
            PostgresTransaction.execute(connection, "RELEASE SAVEPOINT semel_held");
            return true;
        } catch (SQLException e) {
            if (!PostgresStatements.LOCK_TIMEOUT.equals(e.getSQLState())) {
                throw e;
            }
            PostgresTransaction.execute(connection, "ROLLBACK TO SAVEPOINT semel_held");
            return false;
        }
    }

    private static Set<KeyDigest> find(Connection connection, String sql, List<KeyDigest> digests) throws SQLException {
        UUID[] uuids = digests.stream().map(KeyDigest::asUuid).toArray(UUID[]::new);
        return Set.copyOf(PostgresStatements.UNNAMED.all(
                connection,
                sql,
                row -> KeyDigest.fromUuid(row.getObject(1, UUID.class)),
                connection.createArrayOf("uuid", uuids)));
    }
}
