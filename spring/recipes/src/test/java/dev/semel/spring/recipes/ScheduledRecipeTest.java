package dev.semel.spring.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.spring.Idempotent;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** A job that every node schedules, on two nodes and one database. */
@Timeout(120)
class ScheduledRecipeTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Node {

        @Bean
        Timer taskScheduler() {
            return new Timer();
        }
    }

    /** Counts how often it fires, and keeps what a job throws. */
    static class Timer extends ThreadPoolTaskScheduler {

        private static final long serialVersionUID = 1;

        private final transient AtomicInteger fires = new AtomicInteger();
        private final transient List<Throwable> errors = new CopyOnWriteArrayList<>();

        Timer() {
            setWaitForTasksToCompleteOnShutdown(true);
            setAwaitTerminationSeconds(30);
            setErrorHandler(errors::add);
            setTaskDecorator(task -> () -> {
                task.run();
                fires.incrementAndGet();
            });
        }

        int fires() {
            return fires.get();
        }

        List<Throwable> errors() {
            return errors;
        }
    }

    static class Statements extends Node {

        @Bean
        Job job(JdbcTemplate jdbc) {
            return new Job(jdbc);
        }
    }

    static class Job {

        private final JdbcTemplate jdbc;

        Job(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        // quoted: scheduled
        @Scheduled(cron = "${statements.cron}")
        @Idempotent(
                value = "send-statements",
                key =
                        "T(java.time.Instant).now().plusMillis(500).truncatedTo(T(java.time.temporal.ChronoUnit).SECONDS)",
                skipInFlight = true)
        public void sendStatements() {
            // end
            jdbc.update("insert into statements default values");
        }
    }

    @Test
    void runsOncePerTick() {
        String database = TestPostgres.newDatabase();
        try (HikariDataSource pool = TestPostgres.pool(database, 2)) {
            TestPostgres.execute(pool, "create table statements (id serial primary key)");
            Timer one;
            Timer other;
            try (ConfigurableApplicationContext first =
                            Recipes.start(Statements.class, database, "statements.cron=* * * * * *");
                    ConfigurableApplicationContext second =
                            Recipes.start(Statements.class, database, "statements.cron=* * * * * *")) {
                one = first.getBean(Timer.class);
                other = second.getBean(Timer.class);
                await().atMost(LIMIT).until(() -> one.fires() >= 3 && other.fires() >= 3);
            }

            long runs = TestPostgres.number(pool, "select count(*) from statements");
            assertThat(runs)
                    .isPositive()
                    .isLessThan(one.fires() + other.fires())
                    .isEqualTo(TestPostgres.number(pool, "select count(*) from semel_key"));
            assertThat(one.errors()).isEmpty();
            assertThat(other.errors()).isEmpty();
        }
    }

    static class Slow extends Node {

        @Bean
        SlowJob slowJob() {
            return new SlowJob();
        }
    }

    static class SlowJob {

        static final AtomicInteger RUNS = new AtomicInteger();
        static final CountDownLatch RELEASED = new CountDownLatch(1);

        @Scheduled(cron = "* * * * * *")
        @Idempotent(value = "slow", key = "'today'", skipInFlight = true)
        public void run() throws InterruptedException {
            RUNS.incrementAndGet();
            RELEASED.await();
        }
    }

    /** One of the nodes is in the job until the other has fired more than once. */
    @Test
    void theOthersSkipQuietly() {
        String database = TestPostgres.newDatabase();
        try (ConfigurableApplicationContext first = Recipes.start(Slow.class, database);
                ConfigurableApplicationContext second = Recipes.start(Slow.class, database)) {
            Timer one = first.getBean(Timer.class);
            Timer other = second.getBean(Timer.class);

            await().atMost(LIMIT).until(() -> one.fires() + other.fires() >= 2);
            assertThat(SlowJob.RUNS).hasValue(1);

            SlowJob.RELEASED.countDown();
            await().atMost(LIMIT).until(() -> one.fires() >= 1 && other.fires() >= 1);
            assertThat(SlowJob.RUNS).hasValue(1);
            assertThat(one.errors()).isEmpty();
            assertThat(other.errors()).isEmpty();
        }
    }
}
