package dev.semel.torture.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.store.StoreUnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node is told by a primary that has been replaced and does not know it, and what it is never told. */
class DeposedPrimaryTest {

    private static final TransactionalPolicy SINGLE =
            Policy.singleTransaction("single").build();
    private static final ExternalPolicy HOLD = Policy.external("hold").build();

    @TempDir
    private Path directory;

    /** One service on one server. */
    private static final class Service implements AutoCloseable {

        private final HikariDataSource pool = new HikariDataSource();
        private final JdbcKeyStore store;
        private final Semel semel;

        Service(Postgres server) {
            pool.setDataSource(server.dataSource());
            pool.setMaximumPoolSize(4);
            // A commit that nobody confirms ends in this, and not in a minute.
            pool.addDataSourceProperty("socketTimeout", "2");
            store = JdbcKeyStore.builder(pool)
                    .createIfMissing()
                    .statementTimeout(Duration.ofSeconds(1))
                    .giveUpAfter(Duration.ofSeconds(2))
                    .build();
            semel = Semel.builder(store)
                    .patience(Duration.ofSeconds(1), Duration.ofSeconds(2))
                    .policy(SINGLE)
                    .policy(HOLD)
                    .build();
        }

        Execution<String> pay(Call call, String outcome) throws Exception {
            return semel.operation(SINGLE, OutcomeCodec.text(), JdbcTransactions.of(pool))
                    .run(call, (attempt, connection) -> {
                        connection.setNetworkTimeout(Runnable::run, 2_000);
                        connection.createStatement().execute("SELECT 1");
                        return outcome;
                    });
        }

        @Override
        public void close() {
            semel.close();
            store.close();
            pool.close();
        }
    }

    @Test
    void repeatsWhatItKnewButNothingThatItIsGivenHappens() throws Exception {
        try (PostgresCluster cluster = PostgresCluster.start(directory, true);
                Service before = new Service(cluster.primary())) {
            assertThat(before.pay(call("early"), "paid")).isInstanceOf(Execution.Executed.class);

            Postgres old = cluster.promote();
            try (old;
                    Service after = new Service(cluster.primary())) {
                assertThat(after.pay(call("late"), "paid")).isInstanceOf(Execution.Executed.class);

                assertThat(outcome(before.pay(call("early"), "paid again"))).isEqualTo("paid");
                assertThatThrownBy(() -> before.semel
                                .operation(SINGLE, OutcomeCodec.text(), JdbcTransactions.of(before.pool))
                                .run(
                                        Key.of("alice", "late"),
                                        Fingerprint.of(1, new byte[] {1}),
                                        DeposedPrimaryTest::refuse))
                        .as("what has ended on the new primary may be refused here")
                        .isInstanceOf(NotExecutedException.class);
                assertThatThrownBy(() -> before.pay(call("late"), "paid again"))
                        .as("its commit is confirmed by nobody")
                        .isInstanceOf(Exception.class);
                assertNothingRunsOutside(before);

                assertThat(outcome(after.pay(call("late"), "paid again"))).isEqualTo("paid");
            }
        }
    }

    /** The claim waits for its commit, and a second one meets the first. */
    private static void assertNothingRunsOutside(Service service) throws Exception {
        Call call = Call.of(Key.of("alice", "outside"), Fingerprint.of(1, new byte[] {1}));
        AtomicBoolean ran = new AtomicBoolean();
        try {
            assertThat(service.semel.operation(HOLD, OutcomeCodec.text()).run(call, attempt -> {
                        ran.set(true);
                        return "paid";
                    }))
                    .isInstanceOf(Execution.InFlight.class);
        } catch (StoreUnavailableException e) {
            assertThat(e).hasMessageContaining("did not answer");
        }
        assertThat(ran).isFalse();
    }

    private static String refuse(Object attempt, Connection connection) {
        throw new NotExecutedException("refused", null);
    }

    private static Call call(String key) {
        return Call.of(Key.of("alice", key), Fingerprint.of(1, new byte[] {1}));
    }

    private static String outcome(Execution<String> execution) {
        return ((Execution.Replayed<String>) execution).value();
    }
}
