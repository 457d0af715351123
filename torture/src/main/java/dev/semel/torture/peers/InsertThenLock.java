package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import java.time.Duration;
import java.util.Optional;

/** A claim by {@code INSERT}, a look under {@code FOR UPDATE}, and a stale claim that is reset and run again. */
final class InsertThenLock extends SqlPeer {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS idempotency_keys (
                key text PRIMARY KEY,
                status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed')),
                request_hash text NOT NULL, response jsonb,
                created_at timestamptz NOT NULL DEFAULT now(),
                expires_at timestamptz NOT NULL DEFAULT now() + interval '24 hours')""";

    private final long staleSeconds;

    InsertThenLock(HikariDataSource pool, Business business, Duration patience) {
        super(pool, business, TABLE);
        this.staleSeconds = patience.toSeconds();
    }

    @Override
    public ServiceReply handle(ServiceRequest request) throws Exception {
        boolean claimed = update(
                        "INSERT INTO idempotency_keys (key, request_hash, status) VALUES (?, ?, 'pending')"
                                + " ON CONFLICT (key) DO NOTHING",
                        request.key(),
                        hash(request))
                == 1;
        if (!claimed) {
            Optional<Row> row =
                    query("SELECT request_hash, status FROM idempotency_keys WHERE key = ? FOR UPDATE", request.key());
            if (row.isPresent() && !row.get().first().equals(hash(request))) {
                return ServiceReply.of(ServiceReply.Kind.MISMATCH);
            }
            if (row.isEmpty() || !row.get().second().equals("pending")) {
                return replayed(query("SELECT response FROM idempotency_keys WHERE key = ?", request.key()));
            }
            if (!resetStale(request)) {
                return ServiceReply.of(ServiceReply.Kind.IN_FLIGHT);
            }
        }
        byte[] outcome;
        try {
            outcome = run(request);
        } catch (IllegalStateException terminal) {
            mark(request, "failed", "{\"error\": \"" + request.id() + "\"}");
            throw terminal;
        }
        mark(request, "succeeded", text(outcome));
        return ServiceReply.executed(outcome);
    }

    private boolean resetStale(ServiceRequest request) throws Exception {
        return update(
                        "UPDATE idempotency_keys SET created_at = now(), expires_at = now() + interval '24 hours'"
                                + " WHERE key = ? AND status = 'pending'"
                                + " AND created_at < now() - ? * interval '1 second'",
                        request.key(),
                        staleSeconds)
                == 1;
    }

    private void mark(ServiceRequest request, String status, String response) throws Exception {
        update(
                "UPDATE idempotency_keys SET status = ?, response = ?::jsonb WHERE key = ?",
                status,
                response,
                request.key());
    }
}
