package dev.semel.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.policy.Mode;
import dev.semel.spring.Idempotent;
import dev.semel.testservers.TestMariaDb;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;

/** An application on MariaDB: its writes and the outcome of a key are in one transaction. */
class MariaDbTest {

    static class Charges {

        private final JdbcTemplate jdbc;

        Charges(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Idempotent(value = "charge", key = "#id", mode = Mode.TRANSACTIONAL)
        public String charge(String id) {
            jdbc.update("INSERT INTO charge VALUES (?)", id);
            return "charged " + id;
        }
    }

    @Test
    void runsAMethodOnceInATransactionOfMariaDb() {
        try (HikariDataSource database = TestMariaDb.newDatabase(1)) {
            runsAMethodOnceInATransaction(database.getJdbcUrl() + "?user=root");
        }
    }

    static void runsAMethodOnceInATransaction(String url) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        StoreAutoConfiguration.class,
                        SemelAutoConfiguration.class))
                .withBean(Charges.class)
                .withPropertyValues("spring.datasource.url=" + url)
                .run(context -> {
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                    jdbc.execute("CREATE TABLE charge (id VARCHAR(36))");
                    Charges charges = context.getBean(Charges.class);

                    assertThat(charges.charge("order-1")).isEqualTo("charged order-1");
                    assertThat(charges.charge("order-1")).isEqualTo("charged order-1");
                    assertThat(jdbc.queryForObject("SELECT count(*) FROM charge", Integer.class))
                            .isEqualTo(1);
                });
    }
}
