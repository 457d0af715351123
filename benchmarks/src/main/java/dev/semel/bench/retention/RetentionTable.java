package dev.semel.bench.retention;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.design.StoreCycle;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.server.PostgresServer;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Retention;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The table that keys are removed from: it is filled once, and then kept in one way after the other. */
final class RetentionTable implements AutoCloseable {

    /** So brief that as many keys expire as are claimed. */
    static final Retention BRIEF = Retention.of(Duration.ofMillis(400));

    /** One key in ten has expired already. */
    private static final String FILL = """
            ALTER TABLE semel_key DROP CONSTRAINT semel_key_pkey;
            ALTER TABLE semel_key SET (fillfactor = 100, autovacuum_enabled = false);
            INSERT INTO semel_key (digest, nonce, token, claimed_at, lease_until, attempt, fingerprint, scope, key,
                operation, state, status, format, settled_at, expires_at, headers, body)
            SELECT key::uuid, key::uuid, nextval('semel_key_token'), now(), now(), 1, decode(rpad('01', 66, 'a'), 'hex'),
                'customer-17', key, 'charge', 2, 201, 1, now(),
                CASE n %% 10 WHEN 0 THEN now() ELSE now() + interval '%d s' END,
                convert_to(E'\\tapplication/json\\n', 'UTF8'), convert_to(left(%s, 128), 'UTF8')
            FROM (SELECT n, gen_random_uuid()::text AS key FROM generate_series(1, %d) AS n) AS standing;
            ALTER TABLE semel_key RESET (autovacuum_enabled);
            ALTER TABLE semel_key SET (fillfactor = 20);
            ALTER TABLE semel_key ADD CONSTRAINT semel_key_pkey PRIMARY KEY (digest)""";

    private final PostgresServer server;
    private final HikariDataSource pool;
    private final AtomicLong longestClaim = new AtomicLong();
    private JdbcKeyStore store;
    private @Nullable JdbcKeyStore audited;

    RetentionTable(PostgresServer server, int connections) {
        this.server = server;
        this.pool = server.pool(connections);
        this.store = JdbcKeyStore.builder(pool).createIfMissing().build();
    }

    void fill(long keys, long secondsToLive) {
        server.execute(
                String.format(FILL, secondsToLive, Payload.sql("key"), keys), "VACUUM ANALYZE semel_key", "CHECKPOINT");
    }

    void indexExpiry(boolean indexed) {
        server.execute(
                indexed ? "CREATE INDEX semel_key_expiry ON semel_key (expires_at)" : "DROP INDEX semel_key_expiry");
    }

    void keepGenerations(Duration rotateEvery) {
        store.close();
        store = JdbcKeyStore.builder(pool)
                .generations(rotateEvery)
                .createIfMissing()
                .build();
    }

    JdbcKeyStore store() {
        return store;
    }

    /** The same table, by a node that keeps what people need of the keys that it removes. */
    JdbcKeyStore audited(Duration rotateEvery) {
        if (audited == null) {
            audited = JdbcKeyStore.builder(pool)
                    .generations(rotateEvery)
                    .auditWindow(Duration.ofDays(30))
                    .build();
        }
        return audited;
    }

    long auditedKeys() {
        return server.number("SELECT count(*) FROM semel_key_audit");
    }

    HikariDataSource pool() {
        return pool;
    }

    /** Claims a new key and settles it. */
    CompletionStage<?> cycle() {
        String key = Payload.newKey();
        StoreCycle cycle = new StoreCycle(store, BRIEF);
        long started = System.nanoTime();
        return store.claim(StoreCycle.request(key)).thenCompose(claim -> {
            longestClaim.accumulateAndGet(System.nanoTime() - started, Math::max);
            return cycle.settle(key, claim);
        });
    }

    /** The longest claim since the last time that this was asked, in milliseconds. */
    double longestClaim() {
        return longestClaim.getAndSet(0) / 1e6;
    }

    long bytes() {
        return server.number(
                "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname ~ '^semel_key(_[0-3])?$'");
    }

    /** How often new keys began to go to another generation. */
    long rotations() {
        return server.number("SELECT turn / 2 FROM semel_key_rotation");
    }

    /** In how many seconds the standing keys expire. */
    long secondsToStand() {
        return server.number("SELECT extract(epoch FROM max(expires_at) - now())::bigint"
                + " FROM (SELECT expires_at FROM semel_key_0 LIMIT 100) standing");
    }

    @Override
    public void close() {
        if (audited != null) {
            audited.close();
        }
        store.close();
        pool.close();
    }
}
