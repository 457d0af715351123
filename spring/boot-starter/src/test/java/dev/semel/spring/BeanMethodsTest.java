package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.Execution;
import dev.semel.NoValueException;
import dev.semel.OperationFailedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.SemelException;
import dev.semel.spring.Orders.Order;
import dev.semel.spring.Orders.Receipt;
import dev.semel.testservers.TestPostgres;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.reactive.TransactionContextManager;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Methods of beans that happen once, in and outside of transactions, on PostgreSQL. */
class BeanMethodsTest {

    private final Order order = new Order(UUID.randomUUID().toString(), 7);
    private Orders orders;
    private TransactionTemplate transaction;

    @BeforeEach
    void connect() {
        ApplicationContext context = MvcApplication.running();
        orders = context.getBean(Orders.class);
        orders.runs().set(0);
        orders.fail(false);
        transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        FlakyStore.settlesFail = false;
    }

    @Test
    void runsOnceAndReplaysTheValue() {
        Receipt first = orders.external(order, "a note");

        assertThat(orders.external(order, "another note")).isEqualTo(first).isNotSameAs(first);
        assertThat(orders.runs()).hasValue(1);
    }

    @Test
    void tellsACallWithOtherArgumentsApart() {
        orders.external(order, "a note");

        assertThatExceptionOfType(NoValueException.class)
                .isThrownBy(() -> orders.external(new Order(order.number(), 8), "a note"))
                .satisfies(e -> assertThat(e.execution()).isInstanceOf(Execution.Mismatched.class));
    }

    @Test
    void replaysAFailure() {
        orders.fail(true);
        assertThatIllegalStateException()
                .isThrownBy(() -> orders.external(order, ""))
                .withMessage("the processor said no");
        orders.fail(false);

        assertThatExceptionOfType(OperationFailedException.class)
                .isThrownBy(() -> orders.external(order, ""))
                .satisfies(e -> assertThat(e.type()).isEqualTo(IllegalStateException.class.getName()));
        assertThat(orders.runs()).hasValue(1);
    }

    @Test
    void aMethodThatTwoClassesOverrideIsTwoOperations() {
        ApplicationContext context = MvcApplication.running();
        String charged = context.getBean(Inherited.Charge.class).handle(order.number());
        String refunded = context.getBean(Inherited.Refund.class).handle(order.number());

        assertThat(charged).isEqualTo("Charge " + order.number() + " in run 1");
        assertThat(refunded).isEqualTo("Refund " + order.number() + " in run 1");
        assertThat(context.getBean(Inherited.Charge.class).handle(order.number()))
                .isEqualTo(charged);
        assertThat(context.getBean(Inherited.Refund.class).handle(order.number()))
                .isEqualTo(refunded);
    }

    @Test
    void keepsScopesApart() {
        assertThat(orders.scoped("alice", order.number())).isEqualTo(1);
        assertThat(orders.scoped("bob", order.number())).isNotEqualTo(1);
    }

    @Test
    void keepsThatNothingWasReturned() {
        orders.nothing(order.number());
        orders.nothing(order.number());

        assertThat(orders.runs()).hasValue(1);
    }

    @Test
    void aMessageThatIsDeliveredAgainIsShortCircuited() {
        orders.nothing("message-" + order.number());
        orders.nothing("message-" + order.number());

        assertThat(orders.runs()).hasValue(1);
    }

    @Test
    void runsStagesAndMonosOnce() {
        assertThat(orders.later(order.number()).join()).containsEntry("run", 1);
        assertThat(orders.later(order.number()).join()).containsEntry("run", 1);
        Receipt first = orders.mono(order.number()).block();
        assertThat(orders.mono(order.number()).block()).isEqualTo(first);
        assertThat(orders.runs()).hasValue(2);
    }

    @Test
    void aMonoKnowsTheContextOfItsSubscriber() {
        Mono<String> mono = orders.context(order.number());

        assertThat(mono.contextWrite(Context.of("user", "alice")).block()).isEqualTo("alice");
        assertThat(mono.contextWrite(Context.of("user", "bob")).block()).isEqualTo("alice");
    }

    @Test
    void aMonoDoesNotJoinTheTransactionOfItsSubscriberEither() {
        Mono<String> mono = TransactionSynchronizationManager.forCurrentTransaction()
                .doOnNext(transaction -> transaction.setActualTransactionActive(true))
                .then(orders.context(order.number()))
                .contextWrite(Context.of("user", "alice"));

        assertThatExceptionOfType(SemelException.class)
                .isThrownBy(() -> mono.contextWrite(TransactionContextManager.createTransactionContext())
                        .block())
                .withMessageContainingAll("orders.context", "REQUIRES_NEW");
        assertThat(orders.context(order.number())
                        .contextWrite(Context.of("user", "bob"))
                        .block())
                .isEqualTo("bob");
    }

    @Test
    void startsStagesOnTheTaskExecutor() {
        assertThat(orders.thread(order.number()).join()).startsWith("task-");
    }

    @Test
    void keepsNoOutcomeOfWhatIsNotDone() {
        for (Object later : List.of(Mono.just(1), CompletableFuture.completedFuture(1), new FutureTask<>(() -> 1))) {
            String id = UUID.randomUUID().toString();
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> orders.whatever(id, later))
                    .withMessageContainingAll(
                            "orders.whatever", later.getClass().getSimpleName(), "Declare");
            assertThatExceptionOfType(NoValueException.class)
                    .isThrownBy(() -> orders.whatever(id, later))
                    .satisfies(e -> assertThat(e.execution()).isInstanceOf(Execution.Unknown.class));
        }
        assertThat(orders.runs()).hasValue(3);
    }

    @Test
    void givesAMethodItsAttempt() {
        assertThat(orders.attempt(order.number(), null)).startsWith("1 ");
    }

    @Test
    void needsAKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.external(new Order("", 1), ""))
                .withMessageContaining("#order.number");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.placeAsChild(order, null))
                .withMessageContaining("pass the Attempt");
        assertThat(orders.runs()).hasValue(0);
    }

    @Test
    void refusesAKeyWhoseTextIsAnotherWithEveryCall() {
        for (Object id :
                List.of(new byte[] {1}, new Object(), List.of(new int[] {1}), Set.of("a", "b"), Map.of("a", 1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> orders.any(id))
                    .withMessageContainingAll("#id", "a new key", "#order.number");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.any(Optional.empty()))
                .withMessageContaining("empty");
        assertThat(orders.runs()).hasValue(0);
    }

    @Test
    void takesAnythingElseForAKey() {
        assertThat(orders.any(List.of(order.number(), 1))).isEqualTo(orders.any(List.of(order.number(), 1)));
        assertThat(orders.any(Optional.of(order))).isEqualTo(orders.any(order));
        assertThat(orders.runs()).hasValue(2);
    }

    @Test
    void storesTheOutcomeInTheTransaction() {
        Receipt first = orders.place(order);

        assertThat(orders.place(order)).isEqualTo(first);
        assertThat(orders.placeInOne(order)).isEqualTo(orders.placeInOne(order));
        assertThat(orders.rows(order.number())).isEqualTo(2);
    }

    @Test
    void aRollbackLeavesNoOutcomeBehindAndTheRetryRunsOnce() {
        orders.fail(true);
        assertThatIllegalStateException().isThrownBy(() -> orders.place(order)).withMessage("out of stock");
        assertThatIllegalStateException()
                .isThrownBy(() -> orders.placeInOne(order))
                .withMessage("out of stock");
        assertThat(orders.rows(order.number())).isZero();
        orders.fail(false);

        assertThat(orders.place(order)).isEqualTo(orders.place(order));
        assertThat(orders.placeInOne(order)).isEqualTo(orders.placeInOne(order));
        assertThat(orders.rows(order.number())).isEqualTo(2);
    }

    @Test
    void joinsTheTransactionOfItsCallerAndIsUndoneWithIt() {
        transaction.executeWithoutResult(status -> {
            orders.placeInOne(order);
            status.setRollbackOnly();
        });
        assertThat(orders.rows(order.number())).isZero();

        assertThat(orders.placeInOne(order).number()).isEqualTo(order.number());
        assertThat(orders.rows(order.number())).isEqualTo(1);
    }

    @Test
    void anOutcomeThatItsCallerCouldUndoIsNotKept() {
        transaction.executeWithoutResult(status -> {
            assertThatExceptionOfType(SemelException.class)
                    .isThrownBy(() -> orders.placeExternally(order))
                    .withMessageContainingAll(
                            "orders.joining",
                            "mode = SINGLE_TRANSACTION",
                            "REQUIRES_NEW",
                            "outside of the transaction");
            orders.placeSeparately(order);
            status.setRollbackOnly();
        });
        assertThat(orders.rows(order.number())).isEqualTo(1);

        assertThat(orders.placeExternally(order)).isEqualTo(orders.placeExternally(order));
        assertThat(orders.rows(order.number())).isEqualTo(2);
    }

    @Test
    void aTransactionOfAnotherManagerUndoesNothing() {
        TransactionTemplate other = new TransactionTemplate(new DataSourceTransactionManager(
                new DriverManagerDataSource(TestPostgres.url("postgres"), "postgres", "")));
        other.executeWithoutResult(status -> {
            orders.placeExternally(order);
            status.setRollbackOnly();
        });

        assertThat(orders.rows(order.number())).isEqualTo(1);
    }

    @Test
    void aClaimMadeInsideTheTransactionOfACallerDoesNotPoisonIt() {
        orders.placeInOne(order);

        transaction.executeWithoutResult(status -> {
            orders.placeInOne(order);
            assertThatExceptionOfType(NoValueException.class)
                    .isThrownBy(() -> orders.placeInOne(new Order(order.number(), 99)));
            orders.placeInOne(new Order(order.number() + "-2", 1));
        });

        assertThat(orders.rows(order.number() + "-2")).isEqualTo(1);
        assertThat(orders.rows(order.number())).isEqualTo(1);
    }
}
