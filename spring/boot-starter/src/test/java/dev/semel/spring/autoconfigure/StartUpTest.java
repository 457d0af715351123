package dev.semel.spring.autoconfigure;

import static dev.semel.spring.operation.StartUpFailures.analysed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Semel;
import dev.semel.policy.Mode;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Recovery;
import dev.semel.spring.Idempotent;
import dev.semel.spring.Reconciles;
import dev.semel.spring.operation.SemelProperties;
import dev.semel.testservers.TestPostgres;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What keeps an application from starting, and what it is told to do about it. */
class StartUpTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class, SemelAutoConfiguration.class));
    private final ApplicationContextRunner inMemory = application.withPropertyValues("semel.store=memory");

    @Test
    void startsWithTheStoreThatWasAskedFor() {
        inMemory.run(context -> assertThat(context).hasSingleBean(Semel.class));
    }

    @Test
    void doesNotStartWithoutAStoreThatRemembers() {
        application.run(context -> analysed(context.getStartupFailure(), analysis -> {
            assertThat(analysis.getDescription()).contains("no store");
            assertThat(analysis.getAction()).contains("spring.datasource.url", "semel.store=memory");
        }));
    }

    @Test
    void doesNotTakeRedisForOneOfTwoDatabases() {
        application
                .withPropertyValues("semel.redis.url=redis://localhost:1")
                .withBean("one", javax.sql.DataSource.class, StartUpTest::dataSource)
                .withBean("other", javax.sql.DataSource.class, StartUpTest::dataSource)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains("more than one DataSource");
                    assertThat(analysis.getAction()).contains("@Primary", "semel.store=redis");
                }));
    }

    @Test
    void saysWhatToDoAboutADatabaseThatCannotKeepKeys() {
        ApplicationContextRunner onH2 = application.withBean(
                javax.sql.DataSource.class,
                () -> new org.springframework.jdbc.datasource.DriverManagerDataSource("jdbc:h2:mem:start-up"));

        onH2.run(context -> analysed(context.getStartupFailure(), analysis -> {
            assertThat(analysis.getDescription()).contains("connects to H2", "postgres, mariadb, mysql, sqlite");
            assertThat(analysis.getAction()).contains("semel.store=memory", "TransactionalMemory", "Testcontainers");
        }));
        onH2.withPropertyValues("semel.store=memory")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void saysWhatToDoAboutADatabaseThatCannotKeepAnOutbox() {
        inMemory.withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class))
                .withBean(
                        javax.sql.DataSource.class,
                        () -> new org.springframework.jdbc.datasource.DriverManagerDataSource("jdbc:h2:mem:start-up"))
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains("outbox", "H2");
                    assertThat(analysis.getAction())
                            .contains(
                                    "PostgreSQL",
                                    "spring.autoconfigure.exclude=" + OutboxAutoConfiguration.class.getName());
                }));
    }

    /** With Spring Boot 3, the modules are not there. */
    @Test
    void saysWhatAnEngineNeeds() {
        for (String engine : new String[] {"cassandra", "etcd"}) {
            application
                    .withPropertyValues("semel.store=" + engine)
                    .run(context -> analysed(context.getStartupFailure(), analysis -> {
                        assertThat(analysis.getDescription()).contains("cannot keep its keys in " + engine);
                        assertThat(analysis.getAction()).containsAnyOf("semel." + engine + ".url", "semel-" + engine);
                    }));
        }
    }

    @Test
    void readsDurationsLikePeopleWriteThem() {
        inMemory.withPropertyValues("semel.retention=7d", "semel.lease=500ms", "semel.audit=P1D")
                .run(context -> assertThat(context.getBean(SemelProperties.class))
                        .satisfies(properties -> {
                            assertThat(properties.retention()).hasDays(7);
                            assertThat(properties.lease()).hasMillis(500);
                            assertThat(properties.audit()).hasDays(1);
                        }));
    }

    static class Reconciled {

        @Idempotent(value = "reconciled", key = "#id", recovery = Recovery.RECONCILE)
        void run(String id) {}
    }

    @Test
    void needsAReconcilerWhereThePolicyAsksOne() {
        inMemory.withBean(Reconciled.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getAction()).contains("@Reconciles(\"reconciled\")")));
        inMemory.withBean(Reconciled.class)
                .withUserConfiguration(WithReconciler.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class WithReconciler {

        @Bean
        @Reconciles("reconciled")
        Reconciler any() {
            return lapsed -> CompletableFuture.completedStage(new Reconciler.Verdict.CannotTell());
        }
    }

    static class Transactional1 {

        @Idempotent(value = "transactional", key = "#id", mode = Mode.TRANSACTIONAL)
        void run(String id) {}
    }

    @Test
    void needsADatabaseForTransactions() {
        inMemory.withBean(Transactional1.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getAction()).contains("semel.store=jdbc")));
    }

    static class Detached {

        @Idempotent(value = "transactional", key = "#id", mode = Mode.TRANSACTIONAL)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void run(String id) {}
    }

    @Test
    void needsATransactionThatCanBeJoined() {
        database()
                .withBean(Detached.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription()).contains("does not join")));
    }

    @Configuration(proxyBeanMethods = false)
    @org.springframework.transaction.annotation.EnableTransactionManagement(order = 0)
    static class OutsideTransactions {}

    @Test
    void checksTheOrderOfTheAdvisors() {
        database()
                .withBean(Transactional1.class)
                .withUserConfiguration(OutsideTransactions.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription())
                                .contains("outside of @Idempotent (its order is 0)")));
    }

    static class External {

        @Idempotent(value = "run", key = "#id")
        @Transactional
        void run(String id) {}
    }

    @Test
    void checksTheOrderOfTheAdvisorsInTheExternalModeToo() {
        database()
                .withBean(External.class)
                .withUserConfiguration(OutsideTransactions.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription())
                                .contains("outside of @Idempotent (its order is 0)")));
    }

    @Test
    void keepsKeysInGenerations() {
        database()
                .withPropertyValues("semel.jdbc.table=generations_key", "semel.jdbc.generations=12h")
                .run(context -> assertThat(new org.springframework.jdbc.core.JdbcTemplate(dataSource())
                                .queryForObject("SELECT count(*) FROM generations_key_rotation", Integer.class))
                        .isOne());
    }

    @Test
    void keepsAnAuditWindow() {
        database()
                .withPropertyValues("semel.jdbc.table=audited_key", "semel.jdbc.audit-window=90d")
                .run(context -> assertThat(new org.springframework.jdbc.core.JdbcTemplate(dataSource())
                                .queryForObject(
                                        "SELECT count(*) FROM pg_inherits WHERE inhparent = 'audited_key_audit'::regclass",
                                        Integer.class))
                        .isPositive());
    }

    private ApplicationContextRunner database() {
        return application
                .withPropertyValues("semel.jdbc.table=start_up_key")
                .withBean(javax.sql.DataSource.class, StartUpTest::dataSource)
                .withBean(
                        org.springframework.jdbc.datasource.DataSourceTransactionManager.class,
                        () -> new org.springframework.jdbc.datasource.DataSourceTransactionManager(dataSource()));
    }

    private static javax.sql.DataSource dataSource() {
        return new org.springframework.jdbc.datasource.DriverManagerDataSource(
                TestPostgres.url("postgres"), "postgres", "");
    }

    static class Hidden {

        @Idempotent(value = "run", key = "#id")
        final void run(String id) {
            throw new IllegalStateException(id);
        }
    }

    @Test
    void refusesAMethodThatCannotBeIntercepted() {
        inMemory.withBean(Hidden.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription()).contains("Hidden.run", "final")));
    }

    @RestController
    static class Listening {

        @Idempotent(value = "listening", key = "#event.payload")
        @EventListener
        void on(PayloadApplicationEvent<String> event) {}
    }

    interface Api {

        @Idempotent
        @PostMapping("/")
        String run();
    }

    @RestController
    static class Implementing implements Api {

        @Override
        public String run() {
            return "";
        }
    }

    @Test
    void refusesAMethodOfAControllerThatTakesNoRequests() {
        inMemory.withBean(Listening.class)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains("Listening.on(PayloadApplicationEvent)");
                    assertThat(analysis.getAction()).contains("no controller");
                }));
        inMemory.withBean(Implementing.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class Twins {

        @Idempotent(value = "twin", key = "#id")
        void one(String id) {}

        @Idempotent(value = "twin", key = "#id")
        void other(String id) {}
    }

    @Test
    void refusesTwoOperationsOfOneName() {
        inMemory.withBean(Twins.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription()).contains("Two operations", "'twin'")));
    }

    static class Overloads {

        @Idempotent(value = "run", key = "#id")
        void run(String id) {}

        @Idempotent(value = "run", key = "#id")
        void run(int id) {}
    }

    @Test
    void refusesOverloadsOfOneName() {
        inMemory.withBean(Overloads.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription()).contains("run(String)", "run(int)")));
    }

    static class Wrong {

        @Idempotent(value = "wrong", key = "#id", lease = "1ms")
        void run(String id) {}
    }

    @Test
    void namesTheMethodWhoseAnnotationIsWrong() {
        inMemory.withBean(Wrong.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription()).contains("Wrong.run", "PT0.001S")));
    }
}
