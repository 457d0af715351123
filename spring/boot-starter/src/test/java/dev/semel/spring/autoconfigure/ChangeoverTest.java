package dev.semel.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.changeover.Changeover;
import dev.semel.changeover.LegacyKeys;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.policy.Policy;
import dev.semel.spi.KeyStore;
import dev.semel.testservers.TestPostgres;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** A Spring application whose nodes share their keys with the table that it had before. */
class ChangeoverTest {

    private final HikariDataSource database = TestPostgres.pool(TestPostgres.newDatabase(), 4);
    private final OldTable table = new OldTable();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(SemelConfigurations.with())
            .withUserConfiguration(ChangeoverConfiguration.class)
            .withPropertyValues("semel.jdbc.table=shared_key")
            .withBean(LegacyKeys.class, () -> table)
            .withBean(DataSource.class, () -> database, definition -> definition.setDestroyMethodName(""));

    @AfterEach
    void stop() {
        database.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class ChangeoverConfiguration {

        // quoted: changeover
        /** The store that the properties configure, shared with the table of the old code. */
        @Bean
        static BeanPostProcessor changeover(ObjectProvider<LegacyKeys> oldTable) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof KeyStore store
                            ? Changeover.around(store, oldTable.getObject(), new SimpleAsyncTaskExecutor("changeover-"))
                            : bean;
                }
            };
        }
        // end
    }

    @Test
    void replaysWhatTheOldCodeHasSettled() {
        table.settled.put("order-1", outcome("from the old code"));

        application.run(context -> {
            assertThat(context).hasSingleBean(KeyStore.class);
            ExternalOperation<Outcome> charge = charge(context.getBean(Semel.class));

            assertThat(run(charge, "order-1")).isInstanceOf(Execution.Replayed.class);
            assertThat(run(charge, "order-2")).isInstanceOf(Execution.Executed.class);
        });

        assertThat(table.settled.get("order-2"))
                .as("for the nodes that run the old code")
                .usingRecursiveComparison()
                .isEqualTo(outcome("from Semel"));
        assertThat(TestPostgres.number(database, "SELECT count(*) FROM shared_key"))
                .as("in the table that the properties name")
                .isEqualTo(2);
    }

    @Test
    void refusesOperationsThatJoinATransaction() {
        application.run(context -> assertThatThrownBy(() -> context.getBean(Semel.class)
                        .operation(
                                Policy.transactional("order").build(),
                                OutcomeCodec.identity(),
                                JdbcTransactions.of(database)))
                .hasMessageContaining("order"));
    }

    private static ExternalOperation<Outcome> charge(Semel semel) {
        return semel.operation(Policy.external("charge").build(), OutcomeCodec.identity());
    }

    private static Execution<Outcome> run(ExternalOperation<Outcome> charge, String order) {
        return charge.run(Key.of("alice", order), Fingerprint.of(order), attempt -> outcome("from Semel"));
    }

    private static Outcome outcome(String payload) {
        return Outcome.succeeded().contentType("text/plain").payload(payload).build();
    }

    /** The table that the application had before. */
    private static final class OldTable implements LegacyKeys {

        private final Map<String, Outcome> settled = new ConcurrentHashMap<>();

        @Override
        public RowState claim(Key key, String operation, long token) {
            Outcome outcome = settled.get(key.value());
            return outcome == null ? new RowState.Taken() : new RowState.Settled(outcome);
        }

        @Override
        public void settle(Key key, long token, Outcome outcome) {
            settled.putIfAbsent(key.value(), outcome);
        }

        @Override
        public void release(Key key, long token) {}
    }
}
