package dev.semel.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.outbox.Destination;
import dev.semel.outbox.OutboxMessage;
import dev.semel.outbox.OutboxRelay;
import dev.semel.spring.TransactionalOutbox;
import dev.semel.testservers.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Messages join the transaction of the application. */
class OutboxTest {

    private static final List<String> DELIVERED = new CopyOnWriteArrayList<>();

    @Configuration(proxyBeanMethods = false)
    static class Destinations {

        @Bean
        Destination shop() {
            return delivery -> {
                DELIVERED.add(new String(delivery.message().payload(), StandardCharsets.UTF_8));
                return CompletableFuture.completedStage(null);
            };
        }
    }

    private final DataSource dataSource = new DriverManagerDataSource(TestPostgres.url("postgres"));

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withBean(DataSource.class, () -> dataSource)
            .withBean(PlatformTransactionManager.class, () -> new DataSourceTransactionManager(dataSource))
            .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class, OutboxAutoConfiguration.class));

    @Test
    void aMessageIsSentIfItsTransactionCommits() {
        application.withUserConfiguration(Destinations.class).run(context -> {
            TransactionalOutbox outbox = context.getBean(TransactionalOutbox.class);
            TransactionTemplate transactions =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            transactions.executeWithoutResult(status -> {
                outbox.add(OutboxMessage.of("shop", "rolled back"));
                status.setRollbackOnly();
            });
            transactions.executeWithoutResult(status -> outbox.add(OutboxMessage.of("shop", "committed")));

            await().atMost(Duration.ofSeconds(30)).until(() -> !DELIVERED.isEmpty());
            assertThat(DELIVERED).containsExactly("committed");
        });
    }

    @Test
    void aMessageNeedsATransaction() {
        application.run(context -> {
            assertThat(context).doesNotHaveBean(OutboxRelay.class);
            assertThatThrownBy(() -> context.getBean(TransactionalOutbox.class).add(OutboxMessage.of("nowhere", "x")))
                    .hasMessageContaining("@Transactional");
        });
    }
}
