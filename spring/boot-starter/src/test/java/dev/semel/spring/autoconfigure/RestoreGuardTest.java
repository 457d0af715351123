package dev.semel.spring.autoconfigure;

import static dev.semel.spring.operation.StartUpFailures.analysed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.jdbc.RestoreGuard;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.spi.TransactionJoining;
import dev.semel.testservers.TestPostgres;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application whose database is restored from an older copy. */
class RestoreGuardTest {

    private final HikariDataSource database = TestPostgres.pool(TestPostgres.newDatabase(), 4);
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class))
            .withBean(DataSource.class, () -> database, definition -> definition.setDestroyMethodName(""));
    private final ApplicationContextRunner guarded = application.withPropertyValues("semel.jdbc.restore-guard=true");

    @AfterEach
    void stop() {
        database.close();
    }

    private static Claim claim(KeyStore store, String name) {
        return store.claim(ClaimRequest.builder(Key.of("alice", name), "charge", Fingerprint.of(name))
                        .build())
                .toCompletableFuture()
                .join();
    }

    /** What a dump that is read back leaves: the same rows, in a table that was made anew. */
    private void readTheDumpBack() {
        TestPostgres.execute(
                database,
                "ALTER TABLE semel_key_epoch RENAME TO dumped",
                "CREATE TABLE semel_key_epoch (LIKE dumped INCLUDING DEFAULTS, PRIMARY KEY (id))",
                "INSERT INTO semel_key_epoch SELECT * FROM dumped",
                "DROP TABLE dumped");
    }

    @Test
    void refusesClaimsUntilTheLossIsAcknowledged() {
        guarded.run(context -> {
            KeyStore store = context.getBean(KeyStore.class);
            assertThat(claim(store, "before")).isInstanceOf(Claim.Acquired.class);
            assertThat(KeyStore.capability(store, TransactionJoining.class))
                    .as("transactions are joined as without it")
                    .isPresent();
        });
        readTheDumpBack();

        guarded.run(context -> {
            KeyStore store = context.getBean(KeyStore.class);
            assertThatThrownBy(() -> claim(store, "after")).hasMessageContaining("restored from an older copy");

            RestoreGuard guard = KeyStore.capability(store, RestoreGuard.class).orElseThrow();
            assertThat(guard.acknowledgeLoss()).isTrue();
            assertThat(claim(store, "after")).isInstanceOf(Claim.Acquired.class);
        });
    }

    @Test
    void isNotThereUnlessItIsAskedFor() {
        application.run(context -> assertThat(KeyStore.capability(context.getBean(KeyStore.class), RestoreGuard.class))
                .isEmpty());
        assertThat(TestPostgres.number(database, "SELECT count(*) FROM pg_tables WHERE tablename = 'semel_key_epoch'"))
                .isZero();
    }

    @Test
    void needsTheUsualTable() {
        guarded.withPropertyValues("semel.jdbc.table=other_key")
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getAction()).contains("acknowledge-loss")));
    }
}
