package dev.semel.spring.method;

import static dev.semel.spring.operation.StartUpFailures.analysed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Attempt;
import dev.semel.SemelException;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spring.Idempotent;
import dev.semel.spring.autoconfigure.SemelConfigurations;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.retry.annotation.Retryable;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import reactor.core.publisher.Mono;

/** What is wrong with a bean method is known when the application starts, or at the latest after its first run. */
@ExtendWith(OutputCaptureExtension.class)
class BeanChecksTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(SemelConfigurations.with())
            .withPropertyValues("semel.store=memory");

    static class Keyless {

        @Idempotent("keyless")
        void run(String id) {}
    }

    @Test
    void refusesAMethodThatCouldNeverHaveAKey() {
        application
                .withBean(Keyless.class)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains("Keyless.run(String)", "no key");
                    assertThat(analysis.getAction()).contains("key = \"...\"", "Attempt");
                }));
    }

    static class Unnamed {

        @Idempotent(key = "#id")
        void run(String id) {}
    }

    static class UnnamedChild {

        @Idempotent
        void run(String id, Attempt attempt) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {Unnamed.class, UnnamedChild.class})
    void refusesAKeyThatWouldBeAnotherOnceItsMethodIsRenamed(Class<?> bean) {
        application
                .withBean(bean)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains(bean.getSimpleName() + ".run(String", "renamed");
                    assertThat(analysis.getAction())
                            .contains("@Idempotent(value = \"" + bean.getSimpleName() + ".run\"", "stay valid");
                }));
    }

    static class Payments {

        @Idempotent(value = "pay", key = "#id")
        String pay(String id) {
            return "paid";
        }
    }

    static class RenamedPayments {

        @Idempotent(value = "charge", formerly = "pay", key = "#id")
        String charge(String id) {
            return "paid again";
        }
    }

    @Test
    void aRenamedOperationKnowsTheKeysOfItsFormerName() {
        InMemoryKeyStore store = InMemoryKeyStore.create();
        ApplicationContextRunner deployed = application.withBean(KeyStore.class, () -> store);

        deployed.withBean(Payments.class)
                .run(context ->
                        assertThat(context.getBean(Payments.class).pay("1")).isEqualTo("paid"));

        deployed.withBean(RenamedPayments.class).run(context -> {
            assertThat(context.getBean(RenamedPayments.class).charge("1")).isEqualTo("paid");
            assertThat(context.getBean(RenamedPayments.class).charge("2")).isEqualTo("paid again");
        });
    }

    interface Receipt {

        String number();
    }

    record PaperReceipt(String number) implements Receipt {}

    static final class Sealed {

        private final String number;

        private Sealed(String number, int unused) {
            this.number = number;
        }

        public String getNumber() {
            return number;
        }
    }

    static class ReturnsAnInterface {

        @Idempotent(value = "pays", key = "#id")
        Receipt pay(String id) {
            return new PaperReceipt(id);
        }
    }

    static class ReturnsAnInterfaceLater {

        @Idempotent(value = "pays", key = "#id")
        Mono<Receipt> pay(String id) {
            return Mono.just(new PaperReceipt(id));
        }
    }

    static class ReturnsWhatCannotBeMade {

        @Idempotent(value = "pays", key = "#id")
        Sealed pay(String id) {
            return new Sealed(id, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ReturnsAnInterface.class, ReturnsAnInterfaceLater.class, ReturnsWhatCannotBeMade.class})
    void refusesAResultThatCanNeverBeReadBack(Class<?> bean) {
        application
                .withBean(bean)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains(bean.getSimpleName() + ".pay(String)", "read back");
                    assertThat(analysis.getAction()).contains("class or record");
                }));
    }

    static class ReturnsInterfacesInside {

        private final AtomicInteger runs = new AtomicInteger();

        AtomicInteger runs() {
            return runs;
        }

        @Idempotent(value = "pays-inside", key = "#id")
        List<Receipt> pay(String id) {
            runs.incrementAndGet();
            return List.of(new PaperReceipt(id));
        }

        @Idempotent(value = "pays-nothing", key = "#id")
        @Nullable
        String nothing(String id) {
            runs.incrementAndGet();
            return null;
        }
    }

    @Test
    void findsOnTheFirstRunThatAResultCannotBeReadBack(CapturedOutput output) {
        application.withBean(ReturnsInterfacesInside.class).run(context -> {
            ReturnsInterfacesInside payments = context.getBean(ReturnsInterfacesInside.class);

            assertThat(payments.pay("1")).hasSize(1);
            assertThat(output).contains("ERROR", "pays-inside", "and read back", "class or record");

            assertThatThrownBy(() -> payments.pay("1"))
                    .isInstanceOf(SemelException.class)
                    .hasMessageContainingAll("succeeded", "not kept");
            assertThat(payments.runs()).hasValue(1);
        });
    }

    @Test
    void replaysThatNothingWasReturned() {
        application.withBean(ReturnsInterfacesInside.class).run(context -> {
            ReturnsInterfacesInside payments = context.getBean(ReturnsInterfacesInside.class);

            assertThat(payments.nothing("1")).isNull();
            assertThat(payments.nothing("1")).isNull();
            assertThat(payments.runs()).hasValue(1);
        });
    }

    static class AfterCommit {

        @TransactionalEventListener
        @Idempotent(value = "after-commit", key = "#event.payload")
        void on(PayloadApplicationEvent<String> event) {}
    }

    static class OutsideOfTheTransaction {

        @TransactionalEventListener
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        @Idempotent(value = "after-commit", key = "#event.payload")
        void on(PayloadApplicationEvent<String> event) {}
    }

    /** It would be refused with every call, where Spring only logs that. */
    @Test
    void refusesAListenerThatIsCalledBeforeTheTransactionIsLeft() {
        application
                .withBean(AfterCommit.class)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains("AfterCommit.on(", "@TransactionalEventListener");
                    assertThat(analysis.getAction()).contains("NOT_SUPPORTED", "REQUIRES_NEW");
                }));
        application
                .withBean(OutsideOfTheTransaction.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Retried {

        @Retryable
        @Idempotent(value = "retried", key = "#id")
        void run(String id) {}
    }

    static class RetriedWhenNotExecuted {

        @Retryable
        @Idempotent(value = "retried", key = "#id", notExecuted = IllegalStateException.class)
        void run(String id) {}
    }

    @Test
    void warnsThatARetryGetsTheStoredFailure(CapturedOutput output) {
        application
                .withBean(RetriedWhenNotExecuted.class)
                .run(context -> assertThat(output).doesNotContain("@Retryable"));

        application
                .withBean(Retried.class)
                .run(context ->
                        assertThat(output).contains("WARN", "Retried.run(String)", "@Retryable", "notExecuted"));
    }
}
