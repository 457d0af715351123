package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A claim by {@code INSERT}; a duplicate polls for the result; every exception is stored as a failure. */
final class InsertThenPoll extends SqlPeer {

    /** Without its {@code PARTITION BY RANGE (created_at)}, which PostgreSQL refuses beside this primary key. */
    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS idempotency_keys (
                key text PRIMARY KEY, status text NOT NULL DEFAULT 'pending', response jsonb,
                created_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz NOT NULL)""";

    private static final int POLLS = 4;

    InsertThenPoll(HikariDataSource pool, Business business) {
        super(pool, business, TABLE);
    }

    @Override
    public ServiceReply handle(ServiceRequest request) throws Exception {
        boolean claimed = update(
                        "INSERT INTO idempotency_keys (key, status, expires_at)"
                                + " VALUES (?, 'pending', now() + interval '30 minutes') ON CONFLICT (key) DO NOTHING",
                        request.key())
                == 1;
        if (!claimed) {
            return poll(request);
        }
        try {
            byte[] outcome = run(request);
            update(
                    "UPDATE idempotency_keys SET status = 'done', response = ?::jsonb WHERE key = ?",
                    text(outcome),
                    request.key());
            return ServiceReply.executed(outcome);
        } catch (Exception e) {
            update("UPDATE idempotency_keys SET status = 'failed' WHERE key = ?", request.key());
            throw e;
        }
    }

    private ServiceReply poll(ServiceRequest request) throws Exception {
        for (int i = 0; i < POLLS; i++) {
            Optional<Row> row = query("SELECT status, response FROM idempotency_keys WHERE key = ?", request.key());
            if (row.isPresent() && row.get().first().equals("done")) {
                return ServiceReply.replayed(bytes(row.get().second()));
            }
            if (row.isPresent() && row.get().first().equals("failed")) {
                return ServiceReply.of(ServiceReply.Kind.FAILED);
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
        return ServiceReply.of(ServiceReply.Kind.IN_FLIGHT);
    }
}
