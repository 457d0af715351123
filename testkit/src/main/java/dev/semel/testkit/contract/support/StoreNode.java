package dev.semel.testkit.contract.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
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
import java.util.ArrayList;
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
public record StoreNode(KeyStore store) {

    private static final int ANSWER_SECONDS = 30;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(1);

    public Claim claim(Key key) {
        return claim(ClaimTemplate.forKey(key));
    }

    /** Claims, and may take over. */
    public Claim takeOver(Key key) {
        return claim(ClaimTemplate.forKey(key).takingOver());
    }

    public Claim claim(ClaimTemplate template) {
        return claim(template.request());
    }

    public Claim claim(ClaimRequest request) {
        return answer(store.claim(request));
    }

    /** Claims, and expects to get the key. */
    public Lease acquire(ClaimTemplate template) {
        return acquire(template.request());
    }

    public Lease acquire(ClaimRequest request) {
        return acquired(request).lease();
    }

    public Claim.Acquired acquired(ClaimTemplate template) {
        return acquired(template.request());
    }

    /** A key that is briefly in use is in flight with no lease left: ask again. */
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

    public Lease acquire(Key key) {
        return acquire(ClaimTemplate.forKey(key));
    }

    /** Takes over, and expects to get the key. */
    public Lease takenOver(Key key) {
        return acquire(ClaimTemplate.forKey(key).takingOver());
    }

    /** Claims for {@link TestGroup#SHORT}, and expects to get the key. */
    public Lease acquireBriefly(Key key) {
        return acquire(ClaimTemplate.forKey(key).withLease(TestGroup.SHORT));
    }

    /** Claims, and expects the key to be settled. */
    public Claim.Settled replay(Key key) {
        Claim claim = claim(key);
        assertThat(claim).isInstanceOf(Claim.Settled.class);
        return (Claim.Settled) claim;
    }

    public boolean settle(Lease lease, Outcome outcome, Retention retention) {
        return answer(store.settle(lease, outcome, retention));
    }

    public boolean settle(Lease lease, Outcome outcome) {
        return settle(lease, outcome, TestGroup.KEPT);
    }

    /** Claims a new key and settles it. */
    public Lease settled(Key key, Outcome outcome, Retention retention) {
        Lease lease = acquire(key);
        assertThat(settle(lease, outcome, retention)).isTrue();
        return lease;
    }

    /** Claims new keys at the same time, then settles them at the same time. */
    public void settledTogether(List<Key> keys, Outcome outcome, Retention retention) {
        List<ClaimRequest> requests =
                keys.stream().map(key -> ClaimTemplate.forKey(key).request()).toList();
        List<CompletionStage<Claim>> claims =
                requests.stream().map(store::claim).toList();
        List<CompletionStage<Boolean>> settles = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Lease lease = answer(claims.get(i)) instanceof Claim.Acquired acquired
                    ? acquired.lease()
                    : acquire(requests.get(i));
            settles.add(store.settle(lease, outcome, retention));
        }
        settles.forEach(settle -> assertThat(answer(settle)).isTrue());
    }

    public Set<Lease> renew(Collection<Renewal> renewals) {
        return answer(store.renew(renewals));
    }

    public boolean renew(Lease lease, Duration duration) {
        Set<Lease> held = renew(List.of(new Renewal(lease, duration)));
        assertThat(held).as("leases that the store says are held").isSubsetOf(lease);
        return !held.isEmpty();
    }

    public boolean release(Lease lease) {
        return answer(store.release(lease));
    }

    public boolean abandon(Lease lease) {
        return answer(store.abandon(lease));
    }

    public boolean recordStep(Lease lease, String name, byte[] result) {
        return answer(require(StepRecording.class).recordStep(lease, name, result));
    }

    public Purging.Purged purge(int limit) {
        return answer(require(Purging.class).purge(limit));
    }

    public Optional<KeyRecord> find(Key key) {
        return answer(require(Inspecting.class).find(key.digest()));
    }

    /** The state of a key that is in the store. */
    public KeyState state(Key key) {
        return record(key).state();
    }

    public KeyRecord record(Key key) {
        return find(key).orElseThrow(() -> new AssertionError("the store does not find " + key));
    }

    public KeyPage page(KeyQuery query) {
        return answer(require(Inspecting.class).page(query));
    }

    public StoreStatistics statistics() {
        return answer(require(Inspecting.class).statistics());
    }

    public boolean resolve(Lease lease, Resolution resolution) {
        return resolve(lease, resolution, "decided by a test");
    }

    public boolean resolve(Lease lease, Resolution resolution, String reason) {
        return answer(require(Inspecting.class).resolve(lease.digest(), lease.token(), resolution, reason));
    }

    public boolean importRecord(KeyRecord record, Instant asOf) {
        return answer(require(Importing.class).importRecord(record, asOf));
    }

    public boolean has(Class<?> capability) {
        return KeyStore.capability(store, capability).isPresent();
    }

    public <T> T require(Class<T> capability) {
        assumeTrue(has(capability), () -> "this store is not " + capability.getSimpleName());
        return KeyStore.capability(store, capability).orElseThrow();
    }

    /** Waits for a store's answer. */
    public static <T> T answer(CompletionStage<T> stage) {
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
