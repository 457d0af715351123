package dev.semel.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ErasureTest {

    /** Where keys are carried from one place to another, pages can miss one. */
    @Test
    void aRecordThatMovesWhilePagesAreTurnedIsErasedAllTheSame() {
        InMemoryKeyStore store = InMemoryKeyStore.create();
        ClaimRequest request = ClaimRequest.builder(Key.of("tenant", "order-1"), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(1))
                .build();
        Claim claim = store.claim(request).toCompletableFuture().join();
        store.settle(((Claim.Acquired) claim).lease(), Outcome.succeeded().build(), Retention.of(Duration.ofHours(1)))
                .toCompletableFuture()
                .join();
        AtomicBoolean moving = new AtomicBoolean(true);
        Inspecting pages = (Inspecting) Proxy.newProxyInstance(
                Inspecting.class.getClassLoader(),
                new Class<?>[] {Inspecting.class},
                (proxy, method, arguments) -> method.getName().equals("page") && moving.getAndSet(false)
                        ? CompletableFuture.completedFuture(new KeyPage(List.of(), null))
                        : method.invoke(store, arguments));
        KeyStore missing = new ForwardingKeyStore(store) {
            @Override
            protected <T> Optional<T> capability(Class<T> type) {
                return type == Inspecting.class ? Optional.of(type.cast(pages)) : super.capability(type);
            }
        };

        Erasure.Erased erased = Erasure.ofScope(missing, "tenant", new DecisionLog.Person("a test", null), "asked for");

        assertThat(erased.removed()).isOne();
        assertThat(store.find(request.key().digest()).toCompletableFuture().join())
                .isEmpty();
    }
}
