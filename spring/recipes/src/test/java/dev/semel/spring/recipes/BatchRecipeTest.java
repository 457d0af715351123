package dev.semel.spring.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.policy.Mode;
import dev.semel.spring.Idempotent;
import dev.semel.testservers.TestPostgres;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.configuration.annotation.EnableJdbcJobRepository;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.ItemReader;
import org.springframework.batch.infrastructure.item.support.ListItemReader;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Steps of Spring Batch that are run again: by a restart, or by another instance of the job. */
class BatchRecipeTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableBatchProcessing
    @EnableJdbcJobRepository
    static class Application {

        @Bean
        Cards cards() {
            return new Cards();
        }

        @Bean
        Ledger ledger(JdbcTemplate jdbc) {
            return new Ledger(jdbc);
        }

        @Bean
        Job charging(JobRepository jobs, PlatformTransactionManager transactions, Cards cards) {
            Step charge = new StepBuilder("charge", jobs)
                    .<String, String>chunk(2)
                    .transactionManager(transactions)
                    .reader(new Invoices())
                    .processor(cards::charge)
                    .writer(receipts -> {
                        if (receipts.getItems().contains("receipt for 3") && WRITER_FAILS.get()) {
                            throw new IllegalStateException("the disk is full");
                        }
                    })
                    .build();
            return new JobBuilder("charging", jobs).start(charge).build();
        }

        // quoted: batch-step
        @Bean
        Step closeMonth(JobRepository jobs, PlatformTransactionManager transactions, Ledger ledger) {
            return new StepBuilder("close-month", jobs)
                    .tasklet(
                            (contribution, context) -> {
                                ledger.close((String) context.getStepContext()
                                        .getJobParameters()
                                        .get("month"));
                                return RepeatStatus.FINISHED;
                            },
                            transactions)
                    .build();
        }
        // end

        @Bean
        Job closing(JobRepository jobs, Step closeMonth) {
            return new JobBuilder("closing", jobs).start(closeMonth).build();
        }
    }

    private static final AtomicBoolean WRITER_FAILS = new AtomicBoolean();

    /** Reads the same invoices in every execution, from the first. */
    static class Invoices implements ItemReader<String> {

        private ItemReader<String> rest = all();

        private static ItemReader<String> all() {
            return new ListItemReader<>(List.of("1", "2", "3", "4"));
        }

        @Override
        public String read() throws Exception {
            String next = rest.read();
            if (next == null) {
                rest = all();
            }
            return next;
        }
    }

    /** Effects outside of the database. */
    static class Cards {

        static final List<String> CHARGED = new CopyOnWriteArrayList<>();

        // quoted: batch-item
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        @Idempotent(value = "charge-invoice", key = "#invoice")
        public String charge(String invoice) {
            // end
            CHARGED.add(invoice);
            return "receipt for " + invoice;
        }
    }

    /** Effects in the database. */
    static class Ledger {

        private final JdbcTemplate jdbc;

        Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        // quoted: batch-tasklet
        @Transactional
        @Idempotent(value = "close-month", key = "#month", mode = Mode.SINGLE_TRANSACTION)
        public void close(String month) {
            // end
            jdbc.update("insert into closed values (?)", month);
        }
    }

    private static HikariDataSource pool;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        String database = TestPostgres.newDatabase();
        pool = TestPostgres.pool(database, 2);
        TestPostgres.execute(pool, "create table closed (month text not null)");
        createTables(pool);
        application = Recipes.start(Application.class, database);
    }

    private static void createTables(DataSource database) {
        new ResourceDatabasePopulator(new ClassPathResource("org/springframework/batch/core/schema-postgresql.sql"))
                .execute(database);
    }

    @AfterAll
    static void stop() {
        application.close();
        pool.close();
    }

    /** The chunk is rolled back, and its items are processed again. */
    @Test
    void aRestartedStepChargesNoInvoiceTwice() throws Exception {
        JobParameters parameters =
                new JobParametersBuilder().addString("month", "2026-10").toJobParameters();
        WRITER_FAILS.set(true);
        JobExecution failed = run("charging", parameters);
        assertThat(failed.getStatus()).isEqualTo(BatchStatus.FAILED);
        assertThat(Cards.CHARGED).contains("3");

        WRITER_FAILS.set(false);
        JobExecution restarted = run("charging", parameters);

        assertThat(restarted.getStatus()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(Cards.CHARGED).containsExactlyInAnyOrder("1", "2", "3", "4");
    }

    /** Spring Batch knows instances of a job, and not what they do. */
    @Test
    void aSecondInstanceOfTheJobDoesNothing() throws Exception {
        for (String run : List.of("a", "b")) {
            JobExecution execution = run(
                    "closing",
                    new JobParametersBuilder()
                            .addString("month", "2026-10")
                            .addString("run", run)
                            .toJobParameters());
            assertThat(execution.getStatus()).as(execution.toString()).isEqualTo(BatchStatus.COMPLETED);
        }

        assertThat(TestPostgres.number(pool, "select count(*) from closed")).isEqualTo(1);
    }

    private static JobExecution run(String job, JobParameters parameters) throws Exception {
        return application.getBean(JobOperator.class).start(application.getBean(job, Job.class), parameters);
    }
}
