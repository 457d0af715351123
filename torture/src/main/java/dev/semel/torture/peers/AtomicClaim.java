package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import java.util.Optional;

/** A claim by {@code INSERT}, and nothing else: a claim whose owner died stays. */
final class AtomicClaim extends SqlPeer {

    /** With a plain unique key: PostgreSQL refuses {@code now()} in the predicate of a unique index. */
    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS idempotency_keys (
                id bigserial PRIMARY KEY, key text NOT NULL UNIQUE,
                status text NOT NULL CHECK (status IN ('processing', 'done', 'failed')), result jsonb,
                created_at timestamptz NOT NULL DEFAULT now(), completed_at timestamptz)""";

    AtomicClaim(HikariDataSource pool, Business business) {
        super(pool, business, TABLE);
    }

    @Override
    public ServiceReply handle(ServiceRequest request) throws Exception {
        Optional<Row> claimed = query(
                "INSERT INTO idempotency_keys (key, status) VALUES (?, 'processing')"
                        + " ON CONFLICT (key) DO NOTHING RETURNING id",
                request.key());
        if (claimed.isEmpty()) {
            return replayed(query("SELECT result FROM idempotency_keys WHERE key = ?", request.key()));
        }
        byte[] outcome = run(request);
        update(
                "UPDATE idempotency_keys SET status = 'done', result = ?::jsonb, completed_at = now() WHERE key = ?",
                text(outcome),
                request.key());
        return ServiceReply.executed(outcome);
    }
}
