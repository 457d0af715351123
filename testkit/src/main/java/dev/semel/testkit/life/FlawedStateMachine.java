package dev.semel.testkit.life;

import dev.semel.Fingerprint;
import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.KeyLife;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The state machine with one mistake in it, which a comparison with a correct store must show. */
final class FlawedStateMachine extends StateMachineStore {

    /** The mistake. */
    enum Flaw {
        LOOKS_FOR_AN_OUTCOME_BEFORE_THE_FINGERPRINT,
        LOOKS_AT_THE_FINGERPRINT_BEFORE_THE_EXPIRY,
        TAKES_OVER_UNASKED,
        LOSES_STEPS_ON_TAKEOVER,
        GIVES_A_TOKEN_TWICE,
        SETTLES_BY_TOKEN_ALONE,
        IGNORES_THE_RETENTION_OF_A_SETTLE,
        RELEASES_SETTLED_KEYS,
        RENEWS_NOTHING,
        REFUSES_A_STEP_THAT_IS_RECORDED,
        RESOLVES_WITHOUT_FENCE,
        RESOLVES_WITHOUT_A_LINE_IN_THE_HISTORY
    }

    private final Flaw flaw;

    FlawedStateMachine(InstantSource clock, Flaw flaw) {
        super(clock);
        this.flaw = flaw;
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        return change(
                request.key().digest(),
                (key, moment, newToken) -> key == null || key.isFree(moment)
                        ? claimFree(key, request, moment, newToken.getAsLong())
                        : claim(key, request, moment, newToken.getAsLong()));
    }

    private Change<Claim> claimFree(@Nullable StoredKey key, ClaimRequest request, Moment moment, long token) {
        return flaw == Flaw.GIVES_A_TOKEN_TWICE
                ? KeyLife.claim(null, request, moment, 1)
                : KeyLife.claim(key, request, moment, token);
    }

    private Change<Claim> claim(StoredKey key, ClaimRequest request, Moment moment, long token) {
        Change<Claim> right = KeyLife.claim(key, request, moment, token);
        boolean matches = key.fingerprint().matches(request.fingerprint());
        return switch (flaw) {
            case LOOKS_FOR_AN_OUTCOME_BEFORE_THE_FINGERPRINT ->
                key.settlement() == null
                        ? right
                        : KeyLife.claim(key, like(request, key.fingerprint(), false), moment, token);
            case LOOKS_AT_THE_FINGERPRINT_BEFORE_THE_EXPIRY ->
                matches ? right : new Change<>(key, new Claim.Mismatch(), false);
            case TAKES_OVER_UNASKED -> KeyLife.claim(key, like(request, request.fingerprint(), true), moment, token);
            case LOSES_STEPS_ON_TAKEOVER -> right.changed() ? withoutSteps(right) : right;
            default -> right;
        };
    }

    private static ClaimRequest like(ClaimRequest request, Fingerprint fingerprint, boolean takeOver) {
        return ClaimRequest.builder(request.key(), request.operation(), fingerprint)
                .nonce(request.nonce())
                .lease(request.lease())
                .retention(request.retention())
                .takeOver(takeOver)
                .traceId(request.traceId())
                .build();
    }

    private static Change<Claim> withoutSteps(Change<Claim> takeover) {
        Lease lease = ((Claim.Acquired) takeover.answer()).lease();
        return new Change<>(takeover.next(), new Claim.Acquired(lease, Map.of()), true);
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return change(lease.digest(), (key, moment, newToken) -> {
            if (key == null) {
                return KeyLife.settle(null, lease, outcome, retention, moment);
            }
            boolean byToken = flaw == Flaw.SETTLES_BY_TOKEN_ALONE && key.token() == lease.token();
            boolean asClaimed = flaw == Flaw.IGNORES_THE_RETENTION_OF_A_SETTLE;
            return KeyLife.settle(
                    key, byToken ? key.lease() : lease, outcome, asClaimed ? key.retention() : retention, moment);
        });
    }

    @Override
    public CompletionStage<Boolean> release(Lease lease) {
        return change(lease.digest(), (key, moment, newToken) -> {
            boolean settled =
                    key != null && key.settlement() != null && key.lease().equals(lease);
            return settled && flaw == Flaw.RELEASES_SETTLED_KEYS
                    ? new Change<>(null, true, true)
                    : KeyLife.release(key, lease);
        });
    }

    @Override
    public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        return super.renew(flaw == Flaw.RENEWS_NOTHING ? List.of() : renewals);
    }

    @Override
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return change(lease.digest(), (key, moment, newToken) -> {
            Change<Boolean> right = KeyLife.recordStep(key, lease, name, result);
            return flaw == Flaw.REFUSES_A_STEP_THAT_IS_RECORDED && !right.changed()
                    ? new Change<>(key, false, false)
                    : right;
        });
    }

    @Override
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        return change(digest, (key, moment, newToken) -> {
            Change<Boolean> right = KeyLife.resolve(key, token, resolution, reason, moment);
            StoredKey next = right.next();
            if (key == null || next == null || !right.changed()) {
                return right;
            }
            return switch (flaw) {
                case RESOLVES_WITHOUT_FENCE ->
                    new Change<>(copy(next, key.nonce()).build(), true, true);
                case RESOLVES_WITHOUT_A_LINE_IN_THE_HISTORY ->
                    new Change<>(copy(next, next.nonce()).history(key.history()).build(), true, true);
                default -> right;
            };
        });
    }

    private static StoredKey.Builder copy(StoredKey key, UUID nonce) {
        return StoredKey.builder(key.key(), key.operation(), key.fingerprint(), nonce, key.retention(), key.traceId())
                .attempt(key.attempt(), key.token())
                .lease(key.claimedAt(), key.leaseUntil())
                .unknown(key.isUnknown())
                .settled(key.settlement())
                .steps(key.steps())
                .history(key.history());
    }
}
