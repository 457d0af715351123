package dev.semel.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.NoValueException;
import dev.semel.SemelException;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Bean methods that are called inside a transaction of their caller, on PostgreSQL and a pool of ten connections. */
@ExtendWith(OutputCaptureExtension.class)
class CallersTransactionTest {

    private static final int POOL = 10;
    private static final int CALLERS = 16;

    private static ConfigurableApplicationContext context;

    private final String id = UUID.randomUUID().toString();
    private final Bookings bookings = context.getBean(Bookings.class);
    private final TransactionTemplate transaction =
            new TransactionTemplate(context.getBean("transactionManager", PlatformTransactionManager.class));

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Bookings bookings(JdbcTemplate jdbc) {
            return new Bookings(jdbc);
        }
    }

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + TestPostgres.url(TestPostgres.newDatabase()),
                        "spring.datasource.username=postgres",
                        "spring.datasource.hikari.maximum-pool-size=" + POOL,
                        "spring.datasource.hikari.connection-timeout=20000")
                .run();
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void anExternalMethodDoesNotJoinTheTransactionOfItsCallerThroughItsRepository() {
        transaction.executeWithoutResult(status -> {
            assertThatExceptionOfType(SemelException.class)
                    .isThrownBy(() -> bookings.book(id))
                    .withMessageContainingAll(
                            "bookings.external",
                            "mode = SINGLE_TRANSACTION",
                            "NOT_SUPPORTED",
                            "outside of the transaction");
            status.setRollbackOnly();
        });
        assertThat(bookings.rows(id)).isZero();

        assertThat(bookings.book(id)).isEqualTo("booked");
        assertThat(bookings.rows(id)).isEqualTo(1);
    }

    @Test
    void anExternalMethodMayStayOutsideTheTransaction() {
        transaction.executeWithoutResult(status -> {
            bookings.bookOutside(id);
            bookings.bookSeparately(id);
            status.setRollbackOnly();
        });

        assertThat(bookings.rows(id)).isEqualTo(2);
    }

    @Test
    void aMonoDoesNotJoinTheReactiveTransactionOfItsSubscriber() {
        TransactionalOperator reactive = TransactionalOperator.create(new ReactiveTransactions());
        Mono<String> joining = bookings.bookLater(id).as(reactive::transactional);

        assertThatExceptionOfType(SemelException.class)
                .isThrownBy(() -> joining.block(Duration.ofSeconds(10)))
                .withMessageContainingAll("bookings.mono", "NOT_SUPPORTED");
        assertThat(bookings.rows(id)).isZero();

        assertThat(bookings.bookLater(id).block(Duration.ofSeconds(10))).isEqualTo("booked");
    }

    @Test
    void aRollbackOfTheCallerFreesTheKeyAtOnce() {
        transaction.executeWithoutResult(status -> {
            assertThat(bookings.bookInOne(id)).isEqualTo("booked");
            // A duplicate inside of the transaction sees what the transaction would commit.
            assertThat(bookings.bookInOne(id)).isEqualTo("booked");
            status.setRollbackOnly();
        });
        assertThat(bookings.rows(id)).isZero();

        assertThat(bookings.bookInOne(id)).isEqualTo("booked");
        assertThat(bookings.bookInOne(id)).isEqualTo("booked");
        assertThat(bookings.rows(id)).isEqualTo(1);
    }

    @Test
    void isInFlightToOthersUntilTheCallerCommits() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            transaction.executeWithoutResult(status -> {
                bookings.bookInOne(id);
                assertThatExceptionOfType(NoValueException.class)
                        .isThrownBy(() -> get(other.submit(() -> bookings.bookInOne(id))));
            });
        } finally {
            other.shutdown();
        }

        assertThat(bookings.bookInOne(id)).isEqualTo("booked");
        assertThat(bookings.rows(id)).isEqualTo(1);
    }

    @Test
    void aClaimOfItsOwnIsNotMadeInsideTheTransactionOfACaller() {
        transaction.executeWithoutResult(status -> assertThatExceptionOfType(SemelException.class)
                .isThrownBy(() -> bookings.bookTogether(id))
                .withMessageContainingAll(
                        "bookings.transactional", "mode = SINGLE_TRANSACTION", "outside of the transaction"));

        assertThat(bookings.bookTogether(id)).isEqualTo("booked");
        assertThat(bookings.rows(id)).isEqualTo(1);
    }

    @Test
    void nestedCallersOfASharedPoolAllFinish() throws Exception {
        assertThat(nested(bookings::bookInOne)).hasSize(CALLERS * 5).containsOnly("booked");
    }

    @Test
    void nestedCallersOfASharedPoolAllFinishWhenTheyFail() throws Exception {
        assertThat(nested(bookings::bookFull))
                .hasSize(CALLERS * 5)
                .containsOnly("java.lang.IllegalStateException: fully booked");
    }

    @Test
    void nestedCallersOfASharedPoolAllFinishWhenTheyAreRefused() throws Exception {
        assertThat(nested(bookings::bookTogether))
                .hasSize(CALLERS * 5)
                .allSatisfy(answer -> assertThat(answer).contains("mode = SINGLE_TRANSACTION"));
    }

    @Test
    void logsWhatFailsAfterTheCommit(CapturedOutput output) {
        assertThat(bookings.bookAndTell(id)).isEqualTo("booked");

        assertThat(output).contains("ERROR", "after its commit", "nobody could be told of " + id);
        assertThat(bookings.bookAndTell(id)).isEqualTo("booked");
        assertThat(bookings.rows(id)).isEqualTo(1);
    }

    /** Each caller has a connection of its own transaction before any of them calls. */
    private List<String> nested(Function<String, String> book) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        CyclicBarrier full = new CyclicBarrier(POOL);
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < CALLERS * 5; i++) {
                answers.add(callers.submit(() -> call(book, full)));
            }
            List<String> all = new ArrayList<>();
            for (Future<String> answer : answers) {
                all.add(answer.get(60, TimeUnit.SECONDS));
            }
            return all;
        } finally {
            callers.shutdownNow();
        }
    }

    private String call(Function<String, String> book, CyclicBarrier full) {
        try {
            String answer = transaction.execute(status -> {
                await(full);
                return book.apply(UUID.randomUUID().toString());
            });
            return String.valueOf(answer);
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    /** All connections of the pool are taken when ten callers meet. */
    private static void await(CyclicBarrier full) {
        try {
            full.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.get(10, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
