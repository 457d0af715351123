package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.jdbc.LossyProxy.Loss;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.testservers.TestPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server commits, and its answer does not arrive: the batch is sent again, and finds itself. */
class LostAnswerTest {

    private LossyProxy proxy;
    private HikariDataSource pool;
    private JdbcKeyStore store;

    @BeforeEach
    void connect() throws IOException {
        String database = TestPostgres.newDatabase();
        proxy = new LossyProxy(TestPostgres.server().getPort());
        pool = TestPostgres.pool("jdbc:postgresql://localhost:" + proxy.port() + "/" + database, "postgres", 4);
        store = JdbcKeyStore.builder(pool)
                .createIfMissing()
                .statementTimeout(Duration.ofSeconds(2))
                .giveUpAfter(Duration.ofSeconds(60))
                .build();
    }

    @AfterEach
    void disconnect() throws IOException {
        store.close();
        pool.close();
        proxy.close();
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aClaimWhoseAnswerIsLostIsFoundAgain(Loss loss) {
        acquire(request("warm up"));
        List<ClaimRequest> requests =
                IntStream.range(0, 20).mapToObj(i -> request("key-" + i)).toList();

        proxy.loseNextAnswer(loss);
        List<CompletableFuture<Claim>> claims = requests.stream()
                .map(request -> store.claim(request).toCompletableFuture())
                .toList();

        for (int i = 0; i < requests.size(); i++) {
            ClaimRequest request = requests.get(i);
            Lease lease = ((Claim.Acquired) claims.get(i).join()).lease();
            KeyRecord record = answer(store.find(request.key().digest())).orElseThrow();
            assertThat(lease.nonce()).isEqualTo(request.nonce());
            assertThat(record.token()).isEqualTo(lease.token());
            assertThat(record.attempt()).isEqualTo(1);
            assertThat(record.state()).isEqualTo(KeyState.PENDING);
        }
        assertThat(proxy.lostAnswers()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aSettleWhoseAnswerIsLostIsStillTrue(Loss loss) {
        ClaimRequest request = request("key");
        Lease lease = acquire(request);
        Outcome outcome = Outcome.succeeded().payload("done").build();

        proxy.loseNextAnswer(loss);
        boolean held = answer(store.settle(lease, outcome, Retention.of(Duration.ofHours(1))));

        assertThat(held).isTrue();
        assertThat(proxy.lostAnswers()).isEqualTo(1);
        assertThat(answer(store.claim(request("key"))))
                .isInstanceOfSatisfying(
                        Claim.Settled.class,
                        settled -> assertThat(settled.outcome()).isEqualTo(outcome));
    }

    private static ClaimRequest request(String value) {
        return ClaimRequest.builder(Key.of("tenant", value), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(10))
                .build();
    }

    private Lease acquire(ClaimRequest request) {
        return ((Claim.Acquired) answer(store.claim(request))).lease();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
