package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.sealing.Sealing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.QueuedCall;
import dev.semel.spi.Renewal;
import dev.semel.spi.StepRecording;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.contract.support.ClaimTemplate;
import dev.semel.testkit.contract.support.TestGroup;
import dev.semel.testkit.http.SwitchableStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A caller that gives up withdraws its call also from a store behind others. */
class WithdrawnCallsTest {

    private static final Lease LEASE = new Lease(Key.of("tenant", "order-1").digest(), UUID.randomUUID(), 1, 1);

    private final List<QueuedCall<?>> queue = new ArrayList<>();

    /** A store that has sent none of its calls yet. */
    private final KeyStore queueing = (KeyStore) Proxy.newProxyInstance(
            KeyStore.class.getClassLoader(), InMemoryKeyStore.class.getInterfaces(), (proxy, method, arguments) -> {
                QueuedCall<?> call = new QueuedCall<>();
                queue.add(call);
                return call;
            });

    @Test
    void aSealedStoreWithdrawsThem() {
        withdraws(Sealing.compressing().around(queueing));
    }

    @Test
    void aFaultyStoreWithdrawsThem() {
        FaultyStore faulty = FaultyStore.around(queueing);
        withdraws(faulty.store());
        for (StoreCall call : StoreCall.values()) {
            faulty.every(call, Fault.FAILS_AFTER);
        }
        withdraws(faulty.store());
        for (StoreCall call : StoreCall.values()) {
            faulty.every(call, Fault.NEVER_ANSWERS);
        }
        withdraws(faulty.store());
    }

    @Test
    void aSwitchableStoreWithdrawsThem() {
        withdraws(new SwitchableStore(queueing));
    }

    private void withdraws(KeyStore store) {
        List<Function<KeyStore, CompletionStage<?>>> calls = List.of(
                any -> any.claim(
                        ClaimTemplate.forKey(Key.of("tenant", "order-1")).request()),
                any -> any.settle(LEASE, TestGroup.DONE, TestGroup.KEPT),
                any -> any.renew(List.of(new Renewal(LEASE, Duration.ofMinutes(1)))),
                any -> any.release(LEASE),
                any -> any.abandon(LEASE),
                any -> KeyStore.capability(any, StepRecording.class)
                        .orElseThrow()
                        .recordStep(LEASE, "step", new byte[1]),
                any -> KeyStore.capability(any, Inspecting.class).orElseThrow().find(LEASE.digest()),
                any -> KeyStore.capability(any, Inspecting.class)
                        .orElseThrow()
                        .page(KeyQuery.builder(10).build()));
        for (Function<KeyStore, CompletionStage<?>> call : calls) {
            queue.clear();
            CompletableFuture<?> answer = call.apply(store).toCompletableFuture();

            answer.cancel(true);

            assertThat(queue)
                    .singleElement()
                    .satisfies(sent -> assertThat(sent.send())
                            .as("the store behind it sends the call")
                            .isFalse());
            assertThatThrownBy(answer::join)
                    .rootCause()
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            failure -> assertThat(failure.isNotSent()).isTrue());
        }
    }
}
