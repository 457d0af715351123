package dev.semel.spring.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.policy.Mode;
import dev.semel.spring.Idempotent;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** Listeners of events that are published more than once. */
class EventsRecipeTest {

    record CustomerRegistered(String customer) {}

    record OrderPlaced(String order) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    static class Application {

        @Bean
        Mails mails() {
            return new Mails();
        }

        @Bean
        Shipments shipments(JdbcTemplate jdbc) {
            return new Shipments(jdbc);
        }

        @Bean
        ModuleListeners moduleListeners(Shipments shipments) {
            return new ModuleListeners(shipments);
        }
    }

    /** Effects outside of the database. */
    static class Mails {

        static final List<String> SENT = new CopyOnWriteArrayList<>();

        // quoted: event-listener
        @EventListener
        @Idempotent(value = "welcome", key = "#event.customer()")
        public void welcome(CustomerRegistered event) {
            // end
            SENT.add("welcome " + event.customer());
        }

        // quoted: transactional-event-listener
        @TransactionalEventListener
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        @Idempotent(value = "confirm", key = "#event.order()")
        public void confirm(OrderPlaced event) {
            // end
            SENT.add("confirm " + event.order());
        }
    }

    /** Effects in the database. */
    static class Shipments {

        private final JdbcTemplate jdbc;

        Shipments(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        // quoted: module-operation
        @Transactional
        @Idempotent(value = "ship", key = "#order", mode = Mode.SINGLE_TRANSACTION)
        public void ship(String order) {
            // end
            jdbc.update("insert into shipments values (?)", order);
        }
    }

    static class ModuleListeners {

        private final Shipments shipments;

        ModuleListeners(Shipments shipments) {
            this.shipments = shipments;
        }

        // quoted: module-listener
        @ApplicationModuleListener
        public void ship(OrderPlaced event) {
            shipments.ship(event.order());
        }
        // end

        // quoted: external-module-listener
        @ApplicationModuleListener
        @Idempotent(value = "announce", key = "#event.order()")
        public void announce(OrderPlaced event) {
            // end
            Mails.SENT.add("announce " + event.order());
        }
    }

    private static HikariDataSource pool;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        String database = TestPostgres.newDatabase();
        pool = TestPostgres.pool(database, 2);
        TestPostgres.execute(pool, "create table shipments (order_number text not null)");
        application = Recipes.start(Application.class, database);
    }

    @AfterAll
    static void stop() {
        application.close();
        pool.close();
    }

    @BeforeEach
    void clear() {
        Mails.SENT.clear();
    }

    @Test
    void anEventThatIsPublishedTwiceIsHandledOnce() {
        application.publishEvent(new CustomerRegistered("alice"));
        application.publishEvent(new CustomerRegistered("alice"));
        application.publishEvent(new CustomerRegistered("bob"));

        assertThat(Mails.SENT).containsExactly("welcome alice", "welcome bob");
    }

    @Test
    void aListenerAfterTheCommitRunsOutsideOfTheTransaction() {
        publishInTransaction(new OrderPlaced("1"));
        publishInTransaction(new OrderPlaced("1"));

        assertThat(Mails.SENT).containsOnlyOnce("confirm 1");
    }

    /** A process that dies before it notes the completion gets the event again. */
    @Test
    void anEventThatModulithPublishesAgainIsHandledOnce() {
        publishInTransaction(new OrderPlaced("2"));
        await().atMost(Duration.ofSeconds(30)).until(() -> complete() == 2);

        TestPostgres.execute(
                pool,
                "update event_publication set completion_date = null, status = 'PUBLISHED'"
                        + " where serialized_event = '{\"order\":\"2\"}'");
        assertThat(complete()).isZero();
        application.getBean(IncompleteEventPublications.class).resubmitIncompletePublications(publication -> true);

        await().atMost(Duration.ofSeconds(30)).until(() -> complete() == 2);
        assertThat(TestPostgres.number(pool, "select count(*) from shipments where order_number = '2'"))
                .isEqualTo(1);
        assertThat(Mails.SENT).containsOnlyOnce("announce 2");
    }

    private static void publishInTransaction(OrderPlaced event) {
        ApplicationEventPublisher publisher = application;
        application
                .getBean(TransactionTemplate.class)
                .executeWithoutResult(transaction -> publisher.publishEvent(event));
    }

    /** How many listeners of the second order have completed it, of those that Modulith keeps events for. */
    private static long complete() {
        return TestPostgres.number(
                pool,
                "select count(*) from event_publication where completion_date is not null"
                        + " and listener_id like '%ModuleListeners%' and serialized_event = '{\"order\":\"2\"}'");
    }
}
