package dev.semel.jdbc.innodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.TransactionalOperation;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.policy.Policy;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.testservers.GaleraCluster;
import dev.semel.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;

/** Several MariaDB servers that all accept writes: which of two transactions comes first is decided when they commit. */
class GaleraTest {

    private static final int KEYS = 40;

    private static GaleraCluster servers;
    private static HikariDataSource first;
    private static HikariDataSource second;

    private final TransactionalPolicy policy = Policy.singleTransaction("order").build();

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(
                GaleraCluster.missing().isEmpty(), () -> GaleraCluster.missing().orElse(""));
        servers = GaleraCluster.start();
        TestPostgres.execute(
                new MariaDbDataSource(servers.url(0)),
                "CREATE DATABASE semel",
                "CREATE TABLE semel.effect (id bigint AUTO_INCREMENT PRIMARY KEY, name varchar(100) NOT NULL)");
        first = pool(0);
        second = pool(1);
    }

    @AfterAll
    static void stop() {
        if (servers != null) {
            first.close();
            second.close();
            servers.close();
        }
    }

    private static HikariDataSource pool(int server) {
        String url =
                "jdbc:mariadb://127.0.0.1:" + servers.ports().get(server) + "/semel?sessionVariables=wsrep_sync_wait=7";
        return TestPostgres.pool(url, "root", 6);
    }

    @Test
    void theTablesAreCreated() {
        try (JdbcKeyStore store = JdbcKeyStore.builder(first).createIfMissing().build();
                JdbcKeyStore other = JdbcKeyStore.builder(second).build()) {
            assertThat(store).isNotSameAs(other);
        }
    }

    /** Both servers may draw the same token. The transaction that is refused must not take the other's outcome for its own. */
    @Test
    void twoServersCommitAnOperationOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (JdbcKeyStore store = JdbcKeyStore.builder(first).createIfMissing().build();
                JdbcKeyStore other = JdbcKeyStore.builder(second).build();
                Semel one = Semel.builder(store).policy(policy).build();
                Semel two = Semel.builder(other).policy(policy).build()) {
            for (int i = 0; i < KEYS; i++) {
                Key key = Key.of("tenant", "order-" + i);
                CyclicBarrier together = new CyclicBarrier(2);
                List<CompletableFuture<String>> answers = List.of(
                        CompletableFuture.supplyAsync(() -> run(one, first, key, "first", together), threads),
                        CompletableFuture.supplyAsync(() -> run(two, second, key, "second", together), threads));
                List<String> executed = answers.stream()
                        .map(CompletableFuture::join)
                        .filter(answer -> !answer.isEmpty())
                        .distinct()
                        .toList();

                assertThat(executed).as("outcomes of %s", key).hasSize(1);
                assertThat(TestPostgres.number(
                                second, "SELECT count(*) FROM effect WHERE name = '" + key.value() + "'"))
                        .isEqualTo(1);
            }
        } finally {
            threads.shutdown();
        }
    }

    /** The payload, or nothing if the attempt failed, as one of two may. */
    private String run(Semel semel, HikariDataSource pool, Key key, String who, CyclicBarrier together) {
        TransactionalOperation<Connection, Outcome> operation = semel.operation(policy, JdbcTransactions.of(pool));
        try {
            Execution<Outcome> execution = operation.run(key, Fingerprint.of("body"), (attempt, connection) -> {
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (name) VALUES (?)")) {
                    insert.setString(1, key.value());
                    insert.executeUpdate();
                }
                meet(together);
                return Outcome.succeeded().payload(who).build();
            });
            return new String(execution.get().requirePayload(), java.nio.charset.StandardCharsets.UTF_8);
        } catch (Exception refused) {
            return "";
        }
    }

    private static void meet(CyclicBarrier together) throws InterruptedException {
        try {
            together.await(1, TimeUnit.SECONDS);
        } catch (BrokenBarrierException | TimeoutException alone) {
            // The other one has the outcome already, or has to wait for it.
            return;
        }
    }
}
