package dev.semel.jdbc.innodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.NumberedClaims;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.store.StoreException;
import dev.semel.testservers.TestMariaDb;
import dev.semel.testservers.TestMySql;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
class MySqlStoreTest extends InnoDbStore {

    @Override
    HikariDataSource newDatabase(int connections) {
        return TestMySql.newDatabase(connections);
    }

    /** MariaDB's driver is the one that the gateway has. */
    @Override
    List<String> variants(String url) {
        String mariaDb = url.replace("jdbc:mysql:", "jdbc:mariadb:");
        return List.of(
                url,
                url + "?useServerPrepStmts=true",
                url + "?rewriteBatchedStatements=true",
                url + "?useAffectedRows=true",
                url + "?useConfigs=maxPerformance",
                url + "?sessionVariables=transaction_isolation='READ-COMMITTED'",
                mariaDb,
                mariaDb + "?useServerPrepStmts=true",
                mariaDb + "?useAffectedRows=true");
    }

    @Test
    void refusesAMariaDbThatCallsItselfMySql() {
        String url = TestMariaDb.server().url("").replace("jdbc:mariadb:", "jdbc:mysql:");
        try (HikariDataSource pool = TestPostgres.pool(url, "root", 1)) {
            JdbcKeyStore.Builder store = JdbcKeyStore.builder(pool).createIfMissing();

            assertThatThrownBy(store::build)
                    .isExactlyInstanceOf(StoreException.class)
                    .hasMessageContaining("jdbc:mariadb:");
        }
    }

    /** The claim of a key that was released must not get an older token, and neither must one whose row has gone. */
    @Test
    void theRowOfAKeyStaysUntilItsTokenIsOld() throws SQLException {
        try (HikariDataSource pool = TestMySql.newDatabase(4);
                JdbcKeyStore store =
                        JdbcKeyStore.builder(pool).createIfMissing().build()) {
            Lease lease = ((Claim.Acquired) store.claim(NumberedClaims.claim(1))
                            .toCompletableFuture()
                            .join())
                    .lease();
            assertThat(store.settle(lease, Outcome.succeeded().build(), Retention.of(Duration.ofMillis(1)))
                            .toCompletableFuture()
                            .join())
                    .isTrue();
            await().untilAsserted(() -> assertThat(
                            store.purge(10).toCompletableFuture().join().removed())
                    .isEqualTo(1));

            assertThat(store.find(lease.digest()).toCompletableFuture().join()).isEmpty();
            assertThat(rows(pool)).isEqualTo(1);
            // As if the clock had been put back by ten minutes.
            TestPostgres.execute(pool, "UPDATE semel_key SET token = token + 600000000, purge_at = 0");
            assertThat(store.purge(10).toCompletableFuture().join().removed()).isZero();
            Lease next = ((Claim.Acquired) store.claim(NumberedClaims.claim(1))
                            .toCompletableFuture()
                            .join())
                    .lease();
            assertThat(next.token()).isEqualTo(lease.token() + 600_000_001);
            assertThat(next.attempt()).isEqualTo(1);
            assertThat(store.release(next).toCompletableFuture().join()).isTrue();

            TestPostgres.execute(pool, "UPDATE semel_key SET token = 1, purge_at = 0");
            store.purge(10).toCompletableFuture().join();
            assertThat(rows(pool)).isZero();
        }
    }

    private static int rows(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM semel_key")) {
            row.next();
            return row.getInt(1);
        }
    }
}
