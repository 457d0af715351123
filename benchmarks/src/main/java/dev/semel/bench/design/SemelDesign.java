package dev.semel.bench.design;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.server.PostgresServer;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;

/** Semel's store: the claims and settles that the engine sends, without the engine. */
public final class SemelDesign implements ContendedDesign, ReplayingDesign, AsynchronousDesign {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Retention RETENTION = Retention.of(Duration.ofHours(24));
    private static final Fingerprint FINGERPRINT = Fingerprint.of("the request");

    private final PostgresServer server;
    private final HikariDataSource pool;
    private final String table;
    private final JdbcKeyStore store;

    public SemelDesign(PostgresServer server, int connections, String table) {
        this.server = server;
        this.table = table;
        this.pool = server.pool(connections);
        this.store = JdbcKeyStore.builder(pool).table(table).createIfMissing().build();
    }

    JdbcKeyStore store() {
        return store;
    }

    @Override
    public String name() {
        return "semel";
    }

    @Override
    public void clear() throws SQLException {
        server.execute("TRUNCATE " + table);
    }

    @Override
    public CompletionStage<?> cycleAsync(String key) {
        return store.claim(request(key)).thenCompose(claim -> {
            if (!(claim instanceof Claim.Acquired acquired)) {
                throw new IllegalStateException("key " + key + " was not free: " + claim);
            }
            return store.settle(acquired.lease(), outcome(key), RETENTION).thenAccept(held -> {
                if (!held) {
                    throw new IllegalStateException("key " + key + " was not settled");
                }
            });
        });
    }

    @Override
    public void cycle(String key) {
        cycleAsync(key).toCompletableFuture().join();
    }

    @Override
    public boolean claim(String key) {
        return store.claim(request(key)).toCompletableFuture().join() instanceof Claim.Acquired;
    }

    @Override
    public CompletionStage<?> replayAsync(String key) {
        return store.claim(request(key)).thenAccept(claim -> {
            if (!(claim instanceof Claim.Settled settled)
                    || !Arrays.equals(settled.outcome().payload(), payload(key))) {
                throw new IllegalStateException("key " + key + " has another outcome: " + claim);
            }
        });
    }

    @Override
    public void replay(String key) {
        replayAsync(key).toCompletableFuture().join();
    }

    private static ClaimRequest request(String key) {
        return ClaimRequest.builder(Key.of("customer-17", key), "charge", FINGERPRINT)
                .lease(LEASE)
                .build();
    }

    public static Outcome outcome(String key) {
        return Outcome.succeeded()
                .status(201)
                .contentType("application/json")
                .payload(payload(key))
                .build();
    }

    private static byte[] payload(String key) {
        return Payload.of(key).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void verify(long cycles) throws SQLException {
        Verification.requireEqual(
                name(),
                cycles,
                server.number("SELECT count(*) FROM " + table + " WHERE state = 2 AND body = convert_to("
                        + Payload.sql("key") + ", 'UTF8')"));
    }

    @Override
    public long bytes() throws SQLException {
        return server.number("SELECT pg_total_relation_size('" + table + "')");
    }

    @Override
    public void close() {
        store.close();
        pool.close();
    }
}
