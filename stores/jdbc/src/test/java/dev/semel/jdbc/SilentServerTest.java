package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testservers.TestPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that takes everything and never answers: the caller's patience is the only deadline. */
@Timeout(60)
class SilentServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int QUEUE = 50;
    private static final ExternalPolicy POLICY =
            Policy.external("charge").lease(Duration.ofSeconds(30)).build();

    private final AtomicInteger runs = new AtomicInteger();
    private LossyProxy proxy;
    private HikariDataSource pool;
    private JdbcKeyStore store;
    private Semel semel;

    @BeforeEach
    void connect() throws IOException {
        String database = TestPostgres.newDatabase();
        proxy = new LossyProxy(TestPostgres.server().getPort());
        pool = TestPostgres.pool("jdbc:postgresql://localhost:" + proxy.port() + "/" + database, "postgres", 8);
        pool.setConnectionTimeout(1_000);
        store = JdbcKeyStore.builder(pool).createIfMissing().queueLimit(QUEUE).build();
        semel = Semel.builder(store)
                .maintenanceInterval(Duration.ZERO)
                .shutdownGrace(Duration.ofMillis(100))
                .build();
        semel.operation(POLICY, OutcomeCodec.text())
                .run(Key.of("tenant", "warm up"), Fingerprint.of("body"), attempt -> "done");
        proxy.swallowAnswers();
    }

    @AfterEach
    void disconnect() throws IOException {
        proxy.close();
        semel.close();
        store.close();
        pool.close();
    }

    @Test
    void aClaimIsRefusedWhenThePatienceOfTheEngineEnds() {
        long begun = System.nanoTime();

        assertThatThrownBy(() -> semel.operation(POLICY, OutcomeCodec.text())
                        .run(Key.of("tenant", "key"), Fingerprint.of("body"), attempt -> "done"))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE.plusMillis(1_500));
    }

    @Test
    void whatIsGivenUpLeavesTheQueueAndIsNeverRun() throws Exception {
        List<CompletableFuture<Execution<String>>> calls =
                IntStream.range(0, QUEUE).mapToObj(i -> run("key-" + i)).toList();
        for (CompletableFuture<Execution<String>> each : calls) {
            assertThatThrownBy(() -> each.get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreUnavailableException.class);
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(1))
                .until(() -> store.batches().get("claim").queued() <= 1);

        proxy.recover();
        Awaitility.await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
            semel.operation(POLICY, OutcomeCodec.text())
                    .run(Key.of("tenant", "afterwards"), Fingerprint.of("body"), attempt -> "done");
            return true;
        });
        assertThat(runs).hasValue(0);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> TestPostgres.number(pool, "SELECT count(*) FROM semel_key WHERE state = 0") == 0);
    }

    private CompletableFuture<Execution<String>> run(String key) {
        return semel.operation(POLICY, OutcomeCodec.text())
                .runAsync(Key.of("tenant", key), Fingerprint.of("body"), attempt -> {
                    runs.incrementAndGet();
                    return CompletableFuture.completedFuture("done");
                })
                .toCompletableFuture();
    }
}
