package dev.semel.testkit.model;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Concurrent calls of the in-memory store give answers that some order of single calls would give as well. */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "owner", gen = IntGen.class, conf = "0:2")
public class InMemoryStoreLincheckTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Retention RETENTION = Retention.of(Duration.ofHours(1));

    // Made beforehand, so that as much as possible of each call is the store's own work.
    private static final ClaimRequest[][] REQUESTS = new ClaimRequest[2][3];
    private static final Outcome[] OUTCOMES = new Outcome[3];

    static {
        for (int owner = 0; owner < 3; owner++) {
            UUID nonce = new UUID(0, owner);
            OUTCOMES[owner] = Outcome.succeeded().status(owner).build();
            for (int number = 0; number < 2; number++) {
                Key key = Key.of("shop", "order-" + number);
                REQUESTS[number][owner] =
                        new ClaimRequest(key, "charge", Fingerprint.of("body"), nonce, LEASE, false, null);
            }
        }
    }

    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(SettableClock.at(Instant.EPOCH)).build();

    /** What each owner was told last; tokens are numbered across keys, so that no single order need explain them. */
    private final AtomicLongArray tokens = new AtomicLongArray(6);

    private Lease lease(int key, int owner) {
        ClaimRequest request = REQUESTS[key][owner];
        return new Lease(request.key().digest(), request.nonce(), tokens.get(3 * key + owner), 1);
    }

    @Operation
    public String claim(@Param(name = "key") int key, @Param(name = "owner") int owner) {
        Claim claim = ask(store.claim(REQUESTS[key][owner]));
        if (claim instanceof Claim.Acquired acquired) {
            tokens.set(3 * key + owner, acquired.lease().token());
        }
        return claim instanceof Claim.Settled settled
                ? "settled by " + settled.outcome().status()
                : claim.getClass().getSimpleName();
    }

    @Operation
    public boolean settle(@Param(name = "key") int key, @Param(name = "owner") int owner) {
        return ask(store.settle(lease(key, owner), OUTCOMES[owner], RETENTION));
    }

    @Operation
    public boolean release(@Param(name = "key") int key, @Param(name = "owner") int owner) {
        return ask(store.release(lease(key, owner)));
    }

    @Operation
    public boolean abandon(@Param(name = "key") int key, @Param(name = "owner") int owner) {
        return ask(store.abandon(lease(key, owner)));
    }

    @Operation
    public int renew(@Param(name = "key") int key, @Param(name = "owner") int owner) {
        return ask(store.renew(List.of(new Renewal(lease(key, owner), LEASE)))).size();
    }

    @Test
    void isLinearizableUnderStress() {
        new StressOptions()
                .iterations(20)
                .invocationsPerIteration(2000)
                .threads(3)
                .actorsPerThread(3)
                .minimizeFailedScenario(false)
                .check(InMemoryStoreLincheckTest.class);
    }

    private static <T> T ask(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
