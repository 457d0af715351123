package dev.semel.spi.life;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Erasing;
import dev.semel.spi.Importing;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A store whose calls are all decided by {@link KeyLife}: it only has to read a key and write it, in one atomic step. */
public abstract class KeyLifeStore implements KeyStore, StepRecording, Importing, Erasing {

    /** The effect of one call on a key. May be called several times, and must not have side effects. */
    @FunctionalInterface
    protected interface Transition<A> {
        /** @param newToken returns a token that is larger than all tokens of the key, including forgotten ones */
        Change<A> on(@Nullable StoredKey key, Moment moment, LongSupplier newToken);
    }

    protected KeyLifeStore() {}

    /** Runs a call on the key with this digest and stores the result, atomically. */
    protected abstract <A> CompletionStage<A> change(KeyDigest digest, Transition<A> call);

    /** Like {@link #change}, for a call of the attempt that owns the key, or owned it. */
    protected <A> CompletionStage<A> changeOwn(Lease lease, Transition<A> call) {
        return change(lease.digest(), call);
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        return change(
                request.key().digest(),
                (key, moment, newToken) -> KeyLife.claim(key, request, moment, newToken.getAsLong()));
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return changeOwn(lease, (key, moment, newToken) -> KeyLife.settle(key, lease, outcome, retention, moment));
    }

    @Override
    public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        List<CompletableFuture<Boolean>> calls = new ArrayList<>();
        Set<Lease> held = new HashSet<>();
        for (Renewal renewal : renewals) {
            Lease lease = renewal.lease();
            calls.add(changeOwn(lease, (key, moment, newToken) -> KeyLife.renew(key, lease, renewal.duration(), moment))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).thenApply(done -> {
            int next = 0;
            for (Renewal renewal : renewals) {
                if (calls.get(next++).join()) {
                    held.add(renewal.lease());
                }
            }
            return held;
        });
    }

    @Override
    public CompletionStage<Boolean> release(Lease lease) {
        return changeOwn(lease, (key, moment, newToken) -> KeyLife.release(key, lease));
    }

    @Override
    public CompletionStage<Boolean> abandon(Lease lease) {
        return changeOwn(lease, (key, moment, newToken) -> KeyLife.abandon(key, lease, moment));
    }

    @Override
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return changeOwn(lease, (key, moment, newToken) -> KeyLife.recordStep(key, lease, name, result));
    }

    /** Implements {@link dev.semel.spi.Inspecting#resolve} for stores that have this capability. */
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        return change(digest, (key, moment, newToken) -> KeyLife.resolve(key, token, resolution, reason, moment));
    }

    @Override
    public CompletionStage<Boolean> importRecord(KeyRecord record, Instant asOf) {
        Importing.requireImportable(record);
        return change(
                record.key().digest(), (key, moment, newToken) -> KeyLife.importRecord(key, record, asOf, moment));
    }

    @Override
    public CompletionStage<Boolean> erase(KeyDigest digest, long token) {
        return change(digest, (key, moment, newToken) -> KeyLife.erase(key, token));
    }
}
