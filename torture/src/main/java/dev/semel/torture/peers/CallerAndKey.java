package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import java.sql.SQLException;
import java.util.Optional;

/** A claim by {@code INSERT} per caller, with a hash of the body; a claim whose owner died stays pending. */
final class CallerAndKey extends SqlPeer {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS idempotency_keys (
                caller_id text NOT NULL, key text NOT NULL, status text NOT NULL DEFAULT 'pending',
                request_hash text NOT NULL, response jsonb, created_at timestamptz NOT NULL DEFAULT now(),
                completed_at timestamptz, PRIMARY KEY (caller_id, key))""";

    private static final String UNIQUE_VIOLATION = "23505";

    CallerAndKey(HikariDataSource pool, Business business) {
        super(pool, business, TABLE);
    }

    @Override
    public ServiceReply handle(ServiceRequest request) throws Exception {
        try {
            update(
                    "INSERT INTO idempotency_keys (caller_id, key, request_hash) VALUES (?, ?, ?)",
                    request.scope(),
                    request.key(),
                    hash(request));
        } catch (SQLException e) {
            if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
                throw e;
            }
            return existing(request);
        }
        byte[] outcome = run(request);
        update(
                "UPDATE idempotency_keys SET status = 'completed', response = ?::jsonb, completed_at = now()"
                        + " WHERE caller_id = ? AND key = ?",
                text(outcome),
                request.scope(),
                request.key());
        return ServiceReply.executed(outcome);
    }

    private ServiceReply existing(ServiceRequest request) throws Exception {
        Optional<Row> row = query(
                "SELECT request_hash, response FROM idempotency_keys WHERE caller_id = ? AND key = ?",
                request.scope(),
                request.key());
        if (row.isPresent() && !row.get().first().equals(hash(request))) {
            return ServiceReply.of(ServiceReply.Kind.MISMATCH);
        }
        if (row.isEmpty() || row.get().second().isEmpty()) {
            return ServiceReply.of(ServiceReply.Kind.IN_FLIGHT);
        }
        return ServiceReply.replayed(bytes(row.get().second()));
    }
}
