package dev.semel.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.engine.Engine;
import dev.semel.engine.EngineSettings;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.observe.SemelEvent;
import dev.semel.observe.Tracing;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Purging;
import dev.semel.util.Threads;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a round of maintenance does when somebody never answers it. */
class MaintenancePatienceTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final ExternalPolicy CHARGE = Policy.external("charge").build();
    private static final ExternalPolicy REFUND =
            Policy.external("refund").recovery(Recovery.RECONCILE).build();

    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(Threads.daemons("test-timer"));
    private final List<SemelEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(() -> now).build();

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    private Engine engine(KeyStore on) {
        return new Engine(
                on,
                new EngineSettings(SECOND, SECOND, SECOND, SECOND, 1, SECOND, Duration.ofMillis(20), SECOND),
                List.of(events::add),
                Tracing.NONE,
                timer,
                ForkJoinPool.commonPool(),
                Map.of("refund", lapsed -> {
                    asked.incrementAndGet();
                    return new CompletableFuture<>();
                }),
                null);
    }

    private static void maintain(Engine engine) throws Exception {
        new Maintenance(engine, Map.of("charge", CHARGE, "refund", REFUND))
                .round()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    private Key die(Policy policy, String value) {
        Key key = Key.of("merchant", value);
        store.claim(ClaimRequest.builder(key, policy.operation(), Fingerprint.of("body"))
                .lease(policy.lease())
                .takeOver(true)
                .build());
        return key;
    }

    private KeyState state(Key key) {
        return store.find(key.digest())
                .toCompletableFuture()
                .join()
                .orElseThrow()
                .state();
    }

    @Test
    void aReconcilerThatNeverAnswersIsGivenUpAndNotAskedAgainInThisRound() throws Exception {
        List<Key> refunds =
                Stream.of("a", "b", "c").map(each -> die(REFUND, each)).toList();
        List<Key> charges =
                Stream.of("d", "e", "f").map(each -> die(CHARGE, each)).toList();
        now = now.plus(CHARGE.lease());
        Engine engine = engine(store);

        maintain(engine);

        assertThat(charges).extracting(this::state).containsOnly(KeyState.UNKNOWN);
        assertThat(refunds)
                .extracting(this::state)
                .containsExactlyInAnyOrder(KeyState.UNKNOWN, KeyState.LAPSED, KeyState.LAPSED);
        assertThat(asked).hasValue(1);
        assertThat(engine.attempts().keeper().attempts()).isEmpty();
        assertThat(events)
                .filteredOn(SemelEvent.MaintenanceFailed.class::isInstance)
                .singleElement()
                .hasToString("MaintenanceFailed[task=reconcile, cause=java.util.concurrent.TimeoutException: "
                        + "the reconciler of operation \"refund\" did not answer within PT0.02S]");

        maintain(engine);
        assertThat(asked).hasValueGreaterThan(1);
    }

    @Test
    void aStoreThatNeverAnswersIsGivenUpAndWhatIsLeftIsDone() throws Exception {
        AtomicInteger purges = new AtomicInteger();
        KeyStore hanging = (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(),
                new Class<?>[] {KeyStore.class, Inspecting.class, Purging.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("purge")) {
                        purges.incrementAndGet();
                    }
                    return method.getName().equals("page")
                            ? new CompletableFuture<>()
                            : method.invoke(store, arguments);
                });

        maintain(engine(hanging));

        assertThat(purges).hasValue(1);
        assertThat(events)
                .filteredOn(SemelEvent.MaintenanceFailed.class::isInstance)
                .extracting(event -> ((SemelEvent.MaintenanceFailed) event).task())
                .containsExactly("resolve lapsed keys", "resolve unknown keys");
    }

    @Test
    void noPurgeIsBegunBesideOneThatTakesLongerThanAnybodyWaits() throws Exception {
        List<CompletableFuture<Purging.Purged>> purges = new CopyOnWriteArrayList<>();
        KeyStore slow = (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(),
                new Class<?>[] {KeyStore.class, Purging.class},
                (proxy, method, arguments) -> {
                    purges.add(new CompletableFuture<>());
                    return purges.get(purges.size() - 1);
                });
        Maintenance maintenance = new Maintenance(engine(slow), Map.of());

        maintenance.round().toCompletableFuture().get(30, TimeUnit.SECONDS);
        maintenance.round().toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThat(purges).hasSize(1);

        purges.get(0).complete(new Purging.Purged(1, false));
        maintenance.round().toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThat(purges).hasSize(2);
    }
}
