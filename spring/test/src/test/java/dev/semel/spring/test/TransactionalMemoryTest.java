package dev.semel.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.NotExecutedException;
import dev.semel.policy.Mode;
import dev.semel.spring.Idempotent;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Transactional operations of an application whose tests run on H2. */
class TransactionalMemoryTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(List.of(
                            "dev.semel.spring.autoconfigure.StoreAutoConfiguration",
                            "dev.semel.spring.autoconfigure.SemelAutoConfiguration")
                    .stream()
                    .map(TransactionalMemoryTest::type)
                    .toArray(Class<?>[]::new)))
            .withUserConfiguration(TransactionalMemory.class, Shop.class);

    private static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Shop {

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:transactional-memory;DB_CLOSE_DELAY=-1");
        }

        @Bean
        DataSourceTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            JdbcTemplate template = new JdbcTemplate(dataSource);
            template.execute("CREATE TABLE IF NOT EXISTS orders (item VARCHAR)");
            return template;
        }

        @Bean
        Orders orders(JdbcTemplate database) {
            return new Orders(database);
        }
    }

    static class Orders {

        private final JdbcTemplate database;
        private final AtomicBoolean failing = new AtomicBoolean();

        Orders(JdbcTemplate database) {
            this.database = database;
        }

        @Idempotent(value = "claim-first", key = "#item", mode = Mode.TRANSACTIONAL)
        @Transactional
        public int claimFirst(String item) {
            return place(item);
        }

        @Idempotent(value = "single-transaction", key = "#item", mode = Mode.SINGLE_TRANSACTION)
        @Transactional
        public int inOneTransaction(String item) {
            return place(item);
        }

        private int place(String item) {
            database.update("INSERT INTO orders VALUES (?)", item);
            if (failing.getAndSet(false)) {
                throw new NotExecutedException("no stock");
            }
            return count(item);
        }

        void failNext() {
            failing.set(true);
        }

        int count(String item) {
            Integer count = database.queryForObject("SELECT count(*) FROM orders WHERE item = ?", Integer.class, item);
            return count == null ? 0 : count;
        }
    }

    interface Placing {
        int place(Orders orders, String item);
    }

    static List<Placing> modes() {
        return List.of(Orders::claimFirst, Orders::inOneTransaction);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void commitsTheOutcomeWithTheOrder(Placing mode) {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            String item = "committed " + mode.hashCode();

            assertThat(mode.place(orders, item)).isEqualTo(1);
            assertThat(mode.place(orders, item)).isEqualTo(1);

            assertThat(orders.count(item)).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @MethodSource("modes")
    void rollsTheOutcomeBackWithTheOrder(Placing mode) {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            String item = "rolled back " + mode.hashCode();
            orders.failNext();

            assertThatThrownBy(() -> mode.place(orders, item)).isInstanceOf(NotExecutedException.class);
            assertThat(orders.count(item)).isZero();

            assertThat(mode.place(orders, item)).isEqualTo(1);
        });
    }
}
