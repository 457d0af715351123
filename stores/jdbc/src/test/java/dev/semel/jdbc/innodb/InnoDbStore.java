package dev.semel.jdbc.innodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.NumberedClaims;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.TransactionJoining;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a store in MariaDB or MySQL does beyond the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InnoDbStore {

    private static final Retention KEPT = Retention.of(Duration.ofHours(1));
    private static final Outcome DONE = Outcome.succeeded().payload("done").build();
    private static final int KEYS = 200;

    private HikariDataSource pool;

    abstract HikariDataSource newDatabase(int connections);

    /** How a driver prepares, batches and counts is up to the application's connection URL. */
    abstract List<String> variants(String url);

    List<String> urls() {
        return variants(pool.getJdbcUrl());
    }

    @BeforeAll
    void connect() {
        pool = newDatabase(8);
        JdbcKeyStore.builder(pool).createIfMissing().build().close();
    }

    @AfterAll
    void disconnect() {
        pool.close();
    }

    @BeforeEach
    void clear() {
        TestPostgres.execute(pool, "DELETE FROM semel_key");
    }

    @ParameterizedTest
    @MethodSource("urls")
    void batchesAnswerEachCallWhateverTheDriverIsSetTo(String url) throws SQLException {
        try (HikariDataSource other = TestPostgres.pool(url, "root", 4);
                JdbcKeyStore store = JdbcKeyStore.builder(other).build()) {
            List<Claim> claims = all(i -> store.claim(NumberedClaims.claim(i)));
            List<Lease> leases = claims.stream()
                    .map(claim -> ((Claim.Acquired) claim).lease())
                    .toList();
            assertThat(all(i -> store.claim(NumberedClaims.claim(i)))).hasOnlyElementsOfType(Claim.InFlight.class);

            List<Renewal> renewals = leases.stream()
                    .map(lease -> new Renewal(lease, Duration.ofMinutes(1)))
                    .toList();
            assertThat(store.renew(renewals).toCompletableFuture().join()).containsExactlyInAnyOrderElementsOf(leases);
            assertThat(all(i -> store.recordStep(leases.get(i), "step", new byte[] {(byte) i})))
                    .containsOnly(true);
            assertThat(all(i -> i % 2 == 0 ? store.release(leases.get(i)) : store.settle(leases.get(i), DONE, KEPT)))
                    .containsOnly(true);

            assertThat(all(i -> store.settle(leases.get(i), DONE, KEPT)))
                    .isEqualTo(
                            IntStream.range(0, KEYS).mapToObj(i -> i % 2 == 1).toList());
            assertThat(all(i -> store.release(leases.get(i)))).containsOnly(false);
            assertThat(store.renew(renewals).toCompletableFuture().join()).isEmpty();
        }
    }

    /** Two nodes whose batches are full of the same keys, new and lapsed: sorted, they do not block each other. */
    @Test
    void nodesThatRaceForTheSameKeysShareThem() {
        try (JdbcKeyStore one = JdbcKeyStore.builder(pool).build();
                JdbcKeyStore two = JdbcKeyStore.builder(pool).build()) {
            for (int round = 0; round < 10; round++) {
                long from = round * 1_000L;
                List<CompletableFuture<Claim>> claims = new ArrayList<>();
                for (int i = 0; i < KEYS; i++) {
                    claims.add(one.claim(NumberedClaims.claim(from + i)).toCompletableFuture());
                    claims.add(
                            two.claim(NumberedClaims.claim(from + KEYS - 1 - i)).toCompletableFuture());
                }
                assertThat(claims.stream().map(CompletableFuture::join))
                        .filteredOn(Claim.Acquired.class::isInstance)
                        .hasSize(KEYS);
            }
        }
    }

    @Test
    void anOutcomeThatTheServerDoesNotTakeIsRefusedAndTheOthersAreStored() {
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool).build()) {
            List<Claim> claims = all(i -> store.claim(NumberedClaims.claim(i)));
            byte[] tooLarge = new byte[20 << 20];
            CompletableFuture<Boolean> refused = store.settle(
                            ((Claim.Acquired) claims.get(0)).lease(),
                            Outcome.succeeded().payload(tooLarge).build(),
                            KEPT)
                    .toCompletableFuture();
            List<CompletableFuture<Boolean>> others = claims.subList(1, KEYS).stream()
                    .map(claim -> store.settle(((Claim.Acquired) claim).lease(), DONE, KEPT)
                            .toCompletableFuture())
                    .toList();

            assertThat(others.stream().map(CompletableFuture::join)).containsOnly(true);
            assertThatThrownBy(refused::join)
                    .hasCauseExactlyInstanceOf(PayloadTooLargeException.class)
                    .hasMessageContaining("max_allowed_packet");
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void aTransactionGoesOnAfterAnOutcomeThatTheServerDoesNotTake() throws SQLException {
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool).build();
                Connection transaction = pool.getConnection()) {
            transaction.setAutoCommit(false);
            TransactionJoining<Connection> joining = (TransactionJoining<Connection>) store;
            Lease lease = acquired(store, 1);
            Outcome tooLarge = Outcome.succeeded().payload(new byte[20 << 20]).build();

            assertThatThrownBy(() -> joining.settle(transaction, lease, tooLarge, KEPT))
                    .isExactlyInstanceOf(PayloadTooLargeException.class);
            assertThat(joining.settle(transaction, lease, tooLarge.withoutPayload(), KEPT))
                    .isTrue();
            transaction.commit();
            assertThat(store.find(lease.digest()).toCompletableFuture().join())
                    .hasValueSatisfying(kept -> assertThat(kept.state()).isEqualTo(KeyState.SUCCEEDED));
        }
    }

    @Test
    void aTakeoverKeepsMoreStepsThanOneStatementHolds() throws SQLException {
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool).build()) {
            Lease lease = acquired(store, 1);
            byte[] result = new byte[5 << 20];
            for (int i = 0; i < 3; i++) {
                assertThat(store.recordStep(lease, "step " + i, result)
                                .toCompletableFuture()
                                .join())
                        .isTrue();
            }
            assertThatThrownBy(() -> store.recordStep(lease, "one too many", result)
                            .toCompletableFuture()
                            .join())
                    .hasMessageContaining("max_allowed_packet");
            TestPostgres.execute(pool, "UPDATE semel_key SET lease_until = 0");

            Claim next = store.claim(NumberedClaims.takeover(1))
                    .toCompletableFuture()
                    .join();

            assertThat(next)
                    .isInstanceOfSatisfying(
                            Claim.Acquired.class,
                            acquired -> assertThat(acquired.steps()).containsOnlyKeys("step 0", "step 1", "step 2"));
        }
    }

    @Test
    void countsALargeTableByStretchesOfIt() throws SQLException {
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool).build();
                Connection connection = pool.getConnection()) {
            all(i -> store.claim(NumberedClaims.claim(i)));

            StoreStatistics counted = new InnoDbStatistics(new TableName(null, TableName.DEFAULT), 2).read(connection);

            assertThat(counted.exact()).isFalse();
            assertThat(counted.keys()).containsOnlyKeys(KeyState.PENDING);
            assertThat(counted.keys().get(KeyState.PENDING)).isBetween(KEYS * 9L / 10, KEYS * 11L / 10);
        }
    }

    @Test
    void aReleasedKeyBlocksNoOne() {
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool).build()) {
            Lease lease = acquired(store, 1);
            assertThat(store.release(lease).toCompletableFuture().join()).isTrue();

            assertThat(store.page(KeyQuery.inState(KeyState.EXPIRED, 10))
                            .toCompletableFuture()
                            .join()
                            .records())
                    .isEmpty();
            assertThat(store.statistics().toCompletableFuture().join().keys()).isEmpty();
            assertThat(store.purge(10).toCompletableFuture().join().removed()).isZero();
            assertThat(acquired(store, 1).token()).isGreaterThan(lease.token());
        }
    }

    private static Lease acquired(JdbcKeyStore store, long number) {
        return ((Claim.Acquired) store.claim(NumberedClaims.claim(number))
                        .toCompletableFuture()
                        .join())
                .lease();
    }

    private static <T> List<T> all(java.util.function.IntFunction<CompletionStage<T>> call) {
        return IntStream.range(0, KEYS).mapToObj(i -> call.apply(i).toCompletableFuture()).toList().stream()
                .map(CompletableFuture::join)
                .toList();
    }
}
