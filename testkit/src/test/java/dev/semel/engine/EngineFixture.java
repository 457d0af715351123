package dev.semel.engine;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Policy;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** An engine on the in-memory store whose clock the test moves, and a second node that can die. */
abstract class EngineFixture {

    static final Key KEY = Key.of("merchant", "order-1");
    static final Fingerprint BODY = Fingerprint.of("body");

    final SettableClock clock = SettableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
    final InMemoryKeyStore store = InMemoryKeyStore.builder().clock(clock).build();
    final List<SemelEvent> events = new CopyOnWriteArrayList<>();
    final AtomicInteger effects = new AtomicInteger();
    private final List<Semel> engines = new ArrayList<>();

    @AfterEach
    void closeEngines() {
        engines.forEach(Semel::close);
    }

    Semel engine() {
        return engine(store, builder -> {});
    }

    Semel engine(KeyStore on, Consumer<Semel.Builder> more) {
        Semel.Builder builder = Semel.builder(on)
                .listener(events::add)
                .maintenanceInterval(Duration.ZERO)
                .shutdownGrace(Duration.ofMillis(10));
        more.accept(builder);
        Semel semel = builder.build();
        engines.add(semel);
        return semel;
    }

    String charge() {
        return "receipt " + effects.incrementAndGet();
    }

    /** Another node claims the key under this policy, and then dies. */
    Lease claimAndDie(Policy policy) {
        Lease lease = claimElsewhere(policy);
        clock.advance(policy.lease());
        return lease;
    }

    /** Another node claims the key under this policy and is alive. */
    Lease claimElsewhere(Policy policy) {
        Claim claim = store.claim(ClaimRequest.builder(KEY, policy.operation(), BODY.forOperation(policy.identity()))
                        .lease(policy.lease())
                        .retention(policy.retention())
                        .takeOver(true)
                        .build())
                .toCompletableFuture()
                .join();
        return ((Claim.Acquired) claim).lease();
    }

    KeyState state() {
        return store.find(KEY.digest())
                .toCompletableFuture()
                .join()
                .orElseThrow()
                .state();
    }

    boolean isAbsent() {
        return store.find(KEY.digest()).toCompletableFuture().join().isEmpty();
    }

    <E extends SemelEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
