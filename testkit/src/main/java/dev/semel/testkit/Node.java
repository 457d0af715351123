package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import dev.semel.spi.StoreStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** A store's handle with blocking calls. A capability that it lacks skips the test that asks for it. */
record Node(KeyStore store) {

    private static final int ANSWER_SECONDS = 30;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(1);

    Claim claim(Ask ask) {
        return claim(ask.request());
    }

    Claim claim(ClaimRequest request) {
        return answer(store.claim(request));
    }

    /** Claims, and expects to get the key. */
    Lease acquire(Ask ask) {
        return acquire(ask.request());
    }

    Lease acquire(ClaimRequest request) {
        return acquired(request).lease();
    }

    Claim.Acquired acquired(Ask ask) {
        return acquired(ask.request());
    }

    /** A key that somebody has in his hands for a moment is in flight with no lease left: whoever wants it asks again. */
    private Claim.Acquired acquired(ClaimRequest request) {
        long patience = System.nanoTime() + PATIENCE.toNanos();
        Claim claim = claim(request);
        while (claim instanceof Claim.InFlight held && held.leaseLeft().isZero() && System.nanoTime() < patience) {
            LockSupport.parkNanos(PAUSE.toNanos());
            claim = claim(request);
        }
        assertThat(claim).isInstanceOf(Claim.Acquired.class);
        return (Claim.Acquired) claim;
    }

    Lease acquire(Key key) {
        return acquire(Ask.forKey(key));
    }

    /** Claims, and expects the key to be settled. */
    Claim.Settled replay(Key key) {
        Claim claim = claim(Ask.forKey(key));
        assertThat(claim).isInstanceOf(Claim.Settled.class);
        return (Claim.Settled) claim;
    }

    boolean settle(Lease lease, Outcome outcome, Retention retention) {
        return answer(store.settle(lease, outcome, retention));
    }

    boolean settle(Lease lease, Outcome outcome) {
        return settle(lease, outcome, Bench.KEPT);
    }

    /** Claims a new key and settles it. */
    Lease settled(Key key, Outcome outcome, Retention retention) {
        Lease lease = acquire(key);
        assertThat(settle(lease, outcome, retention)).isTrue();
        return lease;
    }

    Set<Lease> renew(Collection<Renewal> renewals) {
        return answer(store.renew(renewals));
    }

    boolean renew(Lease lease, Duration duration) {
        Set<Lease> held = renew(List.of(new Renewal(lease, duration)));
        assertThat(held).as("leases that the store says are held").isSubsetOf(lease);
        return !held.isEmpty();
    }

    boolean release(Lease lease) {
        return answer(store.release(lease));
    }

    boolean abandon(Lease lease) {
        return answer(store.abandon(lease));
    }

    boolean recordStep(Lease lease, String name, byte[] result) {
        return answer(require(StepRecording.class).recordStep(lease, name, result));
    }

    Purging.Purged purge(int limit) {
        return answer(require(Purging.class).purge(limit));
    }

    Optional<KeyRecord> find(Key key) {
        return answer(require(Inspecting.class).find(key.digest()));
    }

    /** The state of a key that is in the store. */
    KeyState state(Key key) {
        return record(key).state();
    }

    KeyRecord record(Key key) {
        return find(key).orElseThrow(() -> new AssertionError("the store does not find " + key));
    }

    KeyPage page(KeyQuery query) {
        return answer(require(Inspecting.class).page(query));
    }

    StoreStatistics statistics() {
        return answer(require(Inspecting.class).statistics());
    }

    boolean resolve(Lease lease, Resolution resolution) {
        return resolve(lease, resolution, "decided by a test");
    }

    boolean resolve(Lease lease, Resolution resolution, String reason) {
        return answer(require(Inspecting.class).resolve(lease.digest(), lease.token(), resolution, reason));
    }

    boolean importRecord(KeyRecord record, Instant asOf) {
        return answer(require(Importing.class).importRecord(record, asOf));
    }

    boolean has(Class<?> capability) {
        return KeyStore.capability(store, capability).isPresent();
    }

    <T> T require(Class<T> capability) {
        assumeTrue(has(capability), () -> "this store is not " + capability.getSimpleName());
        return KeyStore.capability(store, capability).orElseThrow();
    }

    /** Waits for a store's answer. */
    static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError("a store fails with a StoreException, not with " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new AssertionError("the store did not answer within " + ANSWER_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the store", e);
        }
    }
}
