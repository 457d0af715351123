package dev.semel.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresImportTest {

    private static final TableName TABLE = new TableName("public", "semel_key");

    /** That the key is known here cannot be told: the transaction may be rolled back. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeyThatATransactionIsClaimingCannotBeImportedYet(boolean generations) throws Exception {
        KeyRecord record = settledElsewhere();
        try (HikariDataSource pool = TestPostgres.pool(TestPostgres.newDatabase(), 4);
                JdbcKeyStore store = open(pool, generations);
                Connection transaction = pool.getConnection()) {
            transaction.setAutoCommit(false);
            assertThat(new PostgresKeyTable(TABLE, generations).claimJoined(transaction, request()))
                    .isInstanceOf(Claim.Acquired.class);

            assertThatThrownBy(() -> answer(store.importRecord(record, Instant.now())))
                    .hasCauseInstanceOf(StoreUnavailableException.class);

            transaction.rollback();
            assertThat(answer(store.importRecord(record, Instant.now()))).isTrue();
            assertThat(answer(store.claim(request()))).isInstanceOf(Claim.Settled.class);
        }
    }

    private static JdbcKeyStore open(HikariDataSource pool, boolean generations) {
        JdbcKeyStore.Builder builder = JdbcKeyStore.builder(pool).createIfMissing();
        return (generations ? builder.generations(Duration.ofHours(12)) : builder).build();
    }

    private static KeyRecord settledElsewhere() {
        InMemoryKeyStore elsewhere = InMemoryKeyStore.create();
        Claim.Acquired claim = (Claim.Acquired) answer(elsewhere.claim(request()));
        answer(elsewhere.settle(claim.lease(), Outcome.succeeded().build(), Retention.DEFAULT));
        return answer(elsewhere.find(claim.lease().digest())).orElseThrow();
    }

    private static ClaimRequest request() {
        return ClaimRequest.builder(Key.of("tenant", "order-1"), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(10))
                .build();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
