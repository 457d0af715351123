package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.Policy;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testservers.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits stall because the synchronous standby is away, and go through when it is back. */
@Timeout(120)
class StalledCommitTest {

    private static EmbeddedPostgres server;
    private static HikariDataSource pool;

    @BeforeAll
    static void start() throws IOException {
        server = TestPostgres.durable(EmbeddedPostgres.builder()).start();
        pool = TestPostgres.pool(server.getJdbcUrl("postgres", "postgres"), "postgres", 16);
        JdbcKeyStore.builder(pool).createIfMissing().build().close();
    }

    @AfterAll
    static void stop() throws IOException {
        pool.close();
        server.close();
    }

    private static void standby(String name) {
        TestPostgres.execute(
                server.getPostgresDatabase(),
                "ALTER SYSTEM SET synchronous_standby_names = '" + name + "'",
                "SELECT pg_reload_conf()");
    }

    private static void stallCommits() throws InterruptedException {
        standby("nobody");
        TimeUnit.MILLISECONDS.sleep(300);
    }

    @Test
    void aClaimIsNotInFlightToItsOwnOwner() throws Exception {
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool)
                .statementTimeout(Duration.ofSeconds(1))
                .giveUpAfter(Duration.ofSeconds(30))
                .build()) {
            List<ClaimRequest> requests =
                    IntStream.range(0, 5).mapToObj(i -> request("stalled-" + i)).toList();
            stallCommits();
            List<CompletableFuture<Claim>> claims = requests.stream()
                    .map(request -> store.claim(request).toCompletableFuture())
                    .toList();
            TimeUnit.SECONDS.sleep(4);

            assertThat(claims).allSatisfy(claim -> assertThat(claim).isNotDone());
            assertThat(store.claim(request("stalled-0")).toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .as("another owner")
                    .isInstanceOf(Claim.InFlight.class);
            standby("");
            for (int i = 0; i < claims.size(); i++) {
                Claim.Acquired acquired = (Claim.Acquired) claims.get(i).get(20, TimeUnit.SECONDS);
                assertThat(acquired.lease().nonce()).isEqualTo(requests.get(i).nonce());
                assertThat(acquired.lease().attempt()).isOne();
            }
        } finally {
            standby("");
        }
    }

    @Test
    void aStalledClaimNeverBecomesUnknownAlthoughNothingRan() throws Exception {
        Key key = Key.of("tenant", Key.randomValue());
        AtomicInteger runs = new AtomicInteger();
        Call call = Call.of(key, Fingerprint.of("body"));
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool).build();
                Semel semel = Semel.builder(store)
                        .maintenanceInterval(Duration.ofSeconds(1))
                        .build()) {
            ExternalOperation<String> charge = semel.operation(
                    Policy.external("charge").lease(Duration.ofSeconds(10)).build(), OutcomeCodec.text());
            stallCommits();
            CompletableFuture<Execution<String>> first = charge.runAsync(call, attempt -> {
                        runs.incrementAndGet();
                        return CompletableFuture.completedFuture("charged");
                    })
                    .toCompletableFuture();
            TimeUnit.SECONDS.sleep(7);
            standby("");

            first.handle((execution, failure) -> {
                        if (failure == null) {
                            assertThat(execution).isInstanceOf(Execution.Executed.class);
                        } else {
                            assertThat(failure).hasCauseInstanceOf(StoreUnavailableException.class);
                        }
                        return execution;
                    })
                    .get(20, TimeUnit.SECONDS);
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                Execution<String> retry = charge.run(call, attempt -> {
                    runs.incrementAndGet();
                    return "charged";
                });
                assertThat(retry).isNotInstanceOf(Execution.Unknown.class);
                return retry instanceof Execution.Executed || retry instanceof Execution.Replayed;
            });
            assertThat(runs).hasValue(1);
            assertThat(semel.find(key)
                            .toCompletableFuture()
                            .join()
                            .orElseThrow()
                            .state())
                    .isEqualTo(KeyState.SUCCEEDED);
        } finally {
            standby("");
        }
    }

    private static ClaimRequest request(String value) {
        return ClaimRequest.builder(Key.of("tenant", value), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(10))
                .build();
    }
}
