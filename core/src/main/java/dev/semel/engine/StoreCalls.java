package dev.semel.engine;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.observe.StoreHealth;
import dev.semel.policy.Retention;
import dev.semel.retry.StoreCircuit;
import dev.semel.retry.StoreRetry;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.StepRecording;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.util.Failures;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The store as the engine calls it: with retries, each limited in time. */
public final class StoreCalls {

    /** How long storing a cause is retried. No caller waits for it. */
    private static final Duration CAUSE_PATIENCE = Duration.ofSeconds(1);

    private final KeyStore store;
    private final @Nullable Inspecting inspecting;
    private final EngineSettings settings;
    private final StoreRetry retry;
    private final StoreCircuit circuit;

    StoreCalls(KeyStore store, EngineSettings settings, StoreRetry retry, StoreCircuit circuit) {
        this.store = store;
        this.inspecting = KeyStore.capability(store, Inspecting.class).orElse(null);
        this.settings = settings;
        this.retry = retry;
        this.circuit = circuit;
    }

    /** Whether the store answers. */
    public StoreHealth health() {
        return circuit.health();
    }

    /** The store itself, for calls that are not repeated. */
    public KeyStore keyStore() {
        return store;
    }

    /** The store's {@link Inspecting} capability; {@code null} if it has none. */
    public @Nullable Inspecting inspecting() {
        return inspecting;
    }

    /** Claims, unless the store is known not to answer. */
    public CompletableFuture<Claim> claim(ClaimRequest request) {
        return retry.repeatWhileUp(() -> store.claim(request), settings.claimPatience(), StoreCalls::isConclusive);
    }

    /** Repeats a claim that may or may not have been made. No caller waits for it, so it may take long. */
    CompletableFuture<Claim> claimAgain(ClaimRequest request) {
        return retry.repeatLost(() -> store.claim(request), settings.settleGiveUp(), StoreCalls::isConclusive);
    }

    /**
     * After an answer was lost, a key that is held only for this moment may be held by this very claim, whose commit is
     * still under way. It is requested again, and never mistaken for another attempt's.
     */
    private static boolean isConclusive(Claim claim) {
        return !(claim instanceof Claim.InFlight inFlight)
                || !inFlight.leaseLeft().isZero();
    }

    public CompletableFuture<Boolean> settle(Lease lease, Outcome outcome, Retention retention, Duration patience) {
        return retry.repeat(() -> store.settle(lease, outcome, retention), patience)
                .exceptionallyCompose(failure -> Failures.unwrap(failure) instanceof PayloadTooLargeException
                        ? retry.repeat(() -> store.settle(lease, outcome.withoutPayload(), retention), patience)
                        : CompletableFuture.failedStage(failure));
    }

    public CompletableFuture<Boolean> abandon(Lease lease) {
        return retry.repeat(() -> store.abandon(lease), settings.settlePatience());
    }

    /** Keeps why first, where the store can record it; that this fails changes nothing. */
    public CompletableFuture<Boolean> abandon(Lease lease, String cause) {
        return KeyStore.capability(store, StepRecording.class)
                .map(recording -> retry.repeat(
                        () -> recording.recordStep(
                                lease, KeyRecord.causeStep(lease.attempt()), cause.getBytes(StandardCharsets.UTF_8)),
                        CAUSE_PATIENCE))
                .orElseGet(() -> CompletableFuture.completedFuture(false))
                .handle((recorded, failure) -> recorded)
                .thenCompose(recorded -> abandon(lease));
    }

    public CompletableFuture<Boolean> release(Lease lease, Duration patience) {
        return retry.repeat(() -> store.release(lease), patience);
    }

    /** Whether the lease is held, and so extended. */
    CompletionStage<Boolean> renew(Renewal renewal) {
        return retry.repeat(() -> store.renew(List.of(renewal)), settings.claimPatience())
                .thenApply(renewed -> renewed.contains(renewal.lease()));
    }

    CompletionStage<Boolean> recordStep(StepRecording recording, Lease lease, String name, byte[] result) {
        return retry.repeat(() -> recording.recordStep(lease, name, result), settings.settlePatience());
    }

    CompletionStage<Optional<KeyRecord>> find(Inspecting inspecting, KeyDigest digest) {
        return retry.repeat(() -> inspecting.find(digest), settings.claimPatience());
    }

    /** How long ago the lease of a key's attempt ended, by the store's clock. */
    public CompletionStage<Duration> lapsedFor(Inspecting inspecting, KeyRecord record) {
        return retry.repeat(inspecting::now, settings.claimPatience()).thenApply(now -> {
            Duration age = Duration.between(record.leaseUntil(), now);
            return age.isNegative() ? Duration.ZERO : age;
        });
    }
}
