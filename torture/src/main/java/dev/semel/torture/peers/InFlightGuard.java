package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import java.time.Duration;
import java.util.Optional;

/** A claim by {@code INSERT}; every exception is stored as a failure, and so is a claim that is in flight for long. */
final class InFlightGuard extends SqlPeer {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS idempotency_keys (
                key text PRIMARY KEY, request_hash text NOT NULL, status text NOT NULL DEFAULT 'in_flight',
                response_status int, response_body jsonb, created_at timestamptz NOT NULL DEFAULT now(),
                completed_at timestamptz, expires_at timestamptz NOT NULL)""";

    private final long stuckSeconds;

    InFlightGuard(HikariDataSource pool, Business business, Duration patience) {
        super(pool, business, TABLE);
        this.stuckSeconds = patience.toSeconds();
    }

    @Override
    public ServiceReply handle(ServiceRequest request) throws Exception {
        boolean claimed = update(
                        "INSERT INTO idempotency_keys (key, request_hash, status, expires_at)"
                                + " VALUES (?, ?, 'in_flight', now() + interval '24 hours') ON CONFLICT (key) DO NOTHING",
                        request.key(),
                        hash(request))
                == 1;
        if (!claimed) {
            return existing(request);
        }
        try {
            byte[] outcome = run(request);
            complete(request, "completed", text(outcome));
            return ServiceReply.executed(outcome);
        } catch (Exception e) {
            complete(request, "failed", "{\"error\": \"" + request.id() + "\"}");
            throw e;
        }
    }

    private void complete(ServiceRequest request, String status, String body) throws Exception {
        update(
                "UPDATE idempotency_keys SET status = ?, response_status = 200, response_body = ?::jsonb,"
                        + " completed_at = now() WHERE key = ? AND status = 'in_flight'",
                status,
                body,
                request.key());
    }

    private ServiceReply existing(ServiceRequest request) throws Exception {
        // Stuck for longer than the threshold: an error that the client can retry with a new key.
        update(
                "UPDATE idempotency_keys SET status = 'failed', response_body = '{\"error\": \"stuck\"}'"
                        + " WHERE key = ? AND status = 'in_flight' AND created_at < now() - ? * interval '1 second'",
                request.key(),
                stuckSeconds);
        Optional<Row> row = query("SELECT status, request_hash FROM idempotency_keys WHERE key = ?", request.key());
        if (row.isEmpty() || row.get().first().equals("in_flight")) {
            return ServiceReply.of(ServiceReply.Kind.IN_FLIGHT);
        }
        if (!row.get().second().equals(hash(request))) {
            return ServiceReply.of(ServiceReply.Kind.MISMATCH);
        }
        return replayed(query("SELECT response_body FROM idempotency_keys WHERE key = ?", request.key()));
    }
}
