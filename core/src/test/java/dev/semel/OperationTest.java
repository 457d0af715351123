package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is checked when an operation is bound, and what a call may add to it. */
class OperationTest {

    private static final Key KEY = Key.of("merchant", "k");
    private static final Fingerprint BODY = Fingerprint.of("body");

    private final Semel semel = Semel.builder(InMemoryKeyStore.create()).build();

    @AfterEach
    void close() {
        semel.close();
    }

    @Test
    void anOperationWithoutItsReconcilerIsRefused() {
        ExternalPolicy policy =
                Policy.external("charge").recovery(Recovery.RECONCILE).build();

        assertThatThrownBy(() -> semel.operation(policy))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("\"charge\" has recovery RECONCILE but no reconciler");
    }

    @Test
    void aTransactionalOperationOnAStoreThatCannotJoinIsRefused() {
        TransactionRunner<Object> transactions = new TransactionRunner<>() {
            @Override
            public <R> R inTransaction(Work<Object, R> work) {
                throw new AssertionError("not reached");
            }
        };

        assertThatThrownBy(
                        () -> semel.operation(Policy.singleTransaction("order").build(), transactions))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("\"order\" has mode SINGLE_TRANSACTION")
                .hasMessageContaining("cannot join a transaction");
    }

    @Test
    void anotherPolicyUnderTheSameNameIsRefused() {
        semel.operation(Policy.external("charge").build());

        assertThatThrownBy(() -> semel.operation(
                        Policy.external("charge").recovery(Recovery.FAIL).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("recovery HOLD and FAIL");
    }

    @Test
    void aKeyIsNotLookedUpInAStoreThatCannotLook() {
        KeyStore blind = new ForwardingKeyStore(InMemoryKeyStore.create()) {
            @Override
            protected <T> Optional<T> capability(Class<T> type) {
                return Optional.empty();
            }
        };

        try (Semel unseeing = Semel.builder(blind).build()) {
            assertThatThrownBy(() -> unseeing.find(KEY))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("does not implement Inspecting");
        }
    }

    @Test
    void aCallMayWaitWhereThePolicyRejects() {
        ExternalOperation<String> charge =
                semel.operation(Policy.external("charge").build(), OutcomeCodec.text());
        CompletableFuture<String> running = new CompletableFuture<>();
        CompletableFuture<Execution<String>> first = charge.runAsync(
                        Call.of(KEY, BODY), Runnable::run, attempt -> running)
                .toCompletableFuture();

        Execution<String> rejected = charge.run(KEY, BODY, attempt -> "second run");
        CompletableFuture<Execution<String>> waiting = charge.runAsync(
                        Call.builder(KEY, BODY)
                                .duplicates(Duplicates.waitFor(Duration.ofMinutes(1)))
                                .build(),
                        attempt -> CompletableFuture.completedStage("third run"))
                .toCompletableFuture();
        running.complete("receipt");

        assertThat(rejected).isInstanceOf(Execution.InFlight.class);
        assertThat(first.join().get()).isEqualTo("receipt");
        assertThat(waiting.join().get()).isEqualTo("receipt");
    }

    @Test
    void anExecutionWithoutAValueSaysWhatHappenedAndWhatToDo() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(new Execution.InFlight<>(second, second)::get)
                .isInstanceOf(NoValueException.class)
                .hasMessageContainingAll("another request is running", "PT1S", "Duplicates.waitFor");
        assertThatThrownBy(new Execution.LeaseLost<>(second, second)::get)
                .hasMessageContainingAll("lost its lease", "ask again with the same key");
        assertThatThrownBy(new Execution.Mismatched<>()::get)
                .hasMessageContainingAll("used for a different request", "use a new key");
        assertThatThrownBy(new Execution.Unknown<>()::get)
                .hasMessageContainingAll("its outcome is unknown", "resolve the key", "Reconciler");
        assertThatThrownBy(new Execution.Expired<>()::get).hasMessageContainingAll("has expired", "use a new key");
    }

    @Test
    void anExecutionGivesItsValue() {
        Outcome outcome = OutcomeCodec.text().encode("receipt");

        assertThat(new Execution.Executed<>("receipt", outcome, 1, Execution.Durability.STORED).get())
                .isEqualTo("receipt");
        assertThat(new Execution.Replayed<>(outcome, Instant.EPOCH, Instant.EPOCH, OutcomeCodec.text()).get())
                .isEqualTo("receipt");
    }
}
