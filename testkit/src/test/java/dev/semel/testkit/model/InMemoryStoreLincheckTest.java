package dev.semel.testkit.model;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Retention;
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
import java.util.function.Function;
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
                REQUESTS[number][owner] = ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                        .nonce(nonce)
                        .lease(LEASE)
                        .build();
            }
        }
    }

    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(SettableClock.at(Instant.EPOCH)).build();

    /** The token that an owner of a key got last. Tokens are numbered across keys, so that no single order need explain them. */
    private static final class LastToken {
        long token;
    }

    private final LastToken[][] tokens = {
        {new LastToken(), new LastToken(), new LastToken()}, {new LastToken(), new LastToken(), new LastToken()}
    };

    /** An owner makes one call after the other: it cannot use a token before it has it. Owners do not wait for others. */
    private <T> T asOwner(int key, int owner, Function<Lease, CompletionStage<T>> call) {
        LastToken own = tokens[key][owner];
        synchronized (own) {
            ClaimRequest request = REQUESTS[key][owner];
            T answer = call.apply(new Lease(request.key().digest(), request.nonce(), own.token, 1))
                    .toCompletableFuture()
                    .join();
            if (answer instanceof Claim.Acquired acquired) {
                own.token = acquired.lease().token();
            }
            return answer;
        }
    }

    @Operation
    public String claim(@Param(name = "key") int key, @Param(name = "owner") int owner) {
        Claim claim = asOwner(key, owner, before -> store.claim(REQUESTS[key][owner]));
        return claim instanceof Claim.Settled settled
                ? "settled by " + settled.outcome().status()
                : claim.getClass().getSimpleName();
    }

    @Operation
    public boolean settle(@Param(name = "key") int key, @Param(name = "owner") int owner) {
        return asOwner(key, owner, lease -> store.settle(lease, OUTCOMES[owner], RETENTION));
    }

    @Operation
    public boolean release(@Param(name = "key") int key, @Param(name = "owner") int owner) {
        return asOwner(key, owner, store::release);
    }

    @Operation
    public boolean abandon(@Param(name = "key") int key, @Param(name = "owner") int owner) {
        return asOwner(key, owner, store::abandon);
    }

    @Operation
    public int renew(@Param(name = "key") int key, @Param(name = "owner") int owner) {
        return asOwner(key, owner, lease -> store.renew(List.of(new Renewal(lease, LEASE))))
                .size();
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
}
