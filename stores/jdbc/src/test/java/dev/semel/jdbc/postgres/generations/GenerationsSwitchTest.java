package dev.semel.jdbc.postgres.generations;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A plain table begins to keep its keys in generations while claims go on. */
class GenerationsSwitchTest {

    private static final Duration PERIOD = Duration.ofHours(12);
    private static final Outcome DONE = Outcome.succeeded().payload("done").build();

    private static HikariDataSource pool;

    @BeforeAll
    static void connect() {
        pool = TestPostgres.pool(TestPostgres.newDatabase(), 16);
    }

    @AfterAll
    static void disconnect() {
        pool.close();
    }

    /** As an autovacuum that has just begun, until it gives way. */
    @Test
    void aSwitchThatWaitsForAVacuumHoldsUpNoClaim() throws Exception {
        try (JdbcKeyStore plain = JdbcKeyStore.builder(pool)
                .schema("public")
                .table("vacuumed")
                .createIfMissing()
                .build()) {
            CompletableFuture<Void> switched;
            try (Connection vacuum = pool.getConnection()) {
                vacuum.setAutoCommit(false);
                execute(vacuum, "LOCK TABLE vacuumed IN SHARE UPDATE EXCLUSIVE MODE");
                switched = CompletableFuture.runAsync(() -> JdbcKeyStore.builder(pool)
                        .schema("public")
                        .table("vacuumed")
                        .generations(PERIOD)
                        .createIfMissing()
                        .build()
                        .close());
                Awaitility.await().until(() -> isWaitedFor("vacuumed"));

                assertThat(answer(plain.claim(request(Key.of("tenant", "meanwhile")))))
                        .isInstanceOf(Claim.Acquired.class);
                assertThat(isWaitedFor("vacuumed")).isTrue();
                vacuum.rollback();
            }
            switched.get(1, TimeUnit.MINUTES);
            assertThat(answer(plain.claim(request(Key.of("tenant", "afterwards")))))
                    .isInstanceOf(Claim.Acquired.class);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private boolean isWaitedFor(String table) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted"
                        + " AND relation = '" + table + "'::regclass)")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    @Test
    void aPlainTableIsSwitchedOverWhileItIsUsed() throws SQLException {
        try (JdbcKeyStore plain = JdbcKeyStore.builder(pool)
                .schema("public")
                .table("moved")
                .createIfMissing()
                .build()) {
            Map<Key, Long> tokens = new ConcurrentHashMap<>();
            AtomicInteger twice = new AtomicInteger();
            AtomicInteger number = new AtomicInteger();
            CompletableFuture<Void> switched = CompletableFuture.runAsync(() -> {
                try (JdbcKeyStore rotating = JdbcKeyStore.builder(pool)
                        .schema("public")
                        .table("moved")
                        .generations(Duration.ofMillis(1))
                        .createIfMissing()
                        .build()) {
                    for (int i = 0; i < 30; i++) {
                        answer(rotating.purge(1000));
                    }
                }
            });
            do {
                List<CompletableFuture<Void>> claims = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    Key key = Key.of("tenant", "key-" + number.incrementAndGet() / 2);
                    claims.add(plain.claim(request(key))
                            .thenCompose(claim -> {
                                if (!(claim instanceof Claim.Acquired acquired)) {
                                    return CompletableFuture.completedStage(true);
                                }
                                if (tokens.put(key, acquired.lease().token()) != null) {
                                    twice.incrementAndGet();
                                }
                                return plain.settle(acquired.lease(), DONE, Retention.of(PERIOD));
                            })
                            .thenAccept(settled -> assertThat(settled).isTrue())
                            .toCompletableFuture());
                }
                claims.forEach(CompletableFuture::join);
            } while (!switched.isDone());
            switched.join();

            assertThat(twice).hasValue(0);
            assertThat(TestPostgres.number(pool, "SELECT count(*) FROM ONLY public.moved"))
                    .isZero();
            assertThat(TestPostgres.number(pool, "SELECT count(*) FROM public.moved WHERE state = 2"))
                    .isEqualTo(tokens.size());
            assertThat(TestPostgres.number(pool, "SELECT turn FROM public.moved_rotation"))
                    .isGreaterThan(1);
            for (Key key : tokens.keySet()) {
                assertThat(answer(plain.claim(request(key)))).isInstanceOf(Claim.Settled.class);
            }
        }
    }

    private static ClaimRequest request(Key key) {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(10))
                .build();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
