package dev.semel.torture.node;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Stores with one mistake each, wherever the keys are kept. */
final class Bugs {

    private Bugs() {}

    static KeyStore plant(Bug bug, KeyStore store, @Nullable DataSource database) {
        return switch (bug) {
            case SETTLE_WITHOUT_TOKEN -> PostgresBugs.settlingWithoutToken(store, database);
            case RENEW_WITHOUT_CHECK -> PostgresBugs.renewingWithoutCheck(store, database);
            case PURGE_PENDING -> PostgresBugs.purgingPending(store, database);
            case ANSWER_BEFORE_SETTLE -> answeringBeforeSettle(store);
            case RUN_AGAIN_UNDER_HOLD -> takingOverAlways(store);
            case TAKEOVER_KEEPS_TOKEN -> keepingToken(store);
            case REPLAY_RESERIALISED -> replaying(store, Bugs::printed);
            case ZOMBIE_COMMITS -> committingAlways(store);
            case SETTLE_SEEMS_DONE -> seeminglySettling(store);
            case SETTLE_FORGOTTEN -> forgettingSettles(store);
            case OUTCOME_CUT -> replaying(store, Bugs::cut);
            case OUTCOME_OF_ANOTHER -> replaying(store, lastOutcome());
            case EXPIRES_EARLY -> retaining(store, asked -> Retention.of(Duration.ofSeconds(1)));
            case RETENTION_IGNORED -> retaining(store, asked -> Retention.DEFAULT);
            case TOMBSTONE_FORGOTTEN -> retaining(store, asked -> asked.withTombstone(Duration.ZERO));
            case LOST_CLAIM_RUNS -> runningLostClaims(store);
            case CLAIMS_REMEMBERED -> remembering(store, Claim.InFlight.class);
            case OUTCOMES_REMEMBERED -> remembering(store, Claim.Settled.class);
            case DECISION_FORGETS_RETENTION ->
                claiming(
                        store,
                        request -> store.claim(
                                request.toBuilder().retention(Retention.DEFAULT).build()));
            case STEPS_FORGOTTEN -> forgettingSteps(store);
            case STEP_NOT_DURABLE -> losingSteps(store);
            case ABANDON_RELEASES -> releasingInsteadOfAbandoning(store);
            case RELEASE_WITHOUT_TOKEN -> PostgresBugs.releasingWithoutToken(store, database);
            case UNKNOWN_IS_FREE -> freeingUnknown(store);
            case NONE,
                    FAIL_OPEN,
                    UNSCOPED_KEY,
                    RELEASE_ON_ANY_EXCEPTION,
                    BODY_IGNORED,
                    CAUSES_DROPPED,
                    UPGRADE_IS_A_MISMATCH,
                    RECONCILER_GUESSES,
                    RECONCILER_FORGETS_AGE,
                    STARTS_AFTER_WAIT,
                    DENIAL_RELEASES,
                    CHILD_KEY_PER_ATTEMPT,
                    CHILD_KEY_SHARED,
                    KEY_CUT,
                    FORMER_NAME_FORGOTTEN,
                    KEY_OF_DELIVERY,
                    DEAD_LETTERS_DROPPED,
                    HANDLER_RETURNS_EARLY,
                    RESTORE_UNNOTICED -> store;
        };
    }

    private static KeyStore answeringBeforeSettle(KeyStore store) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
                CompletableFuture.runAsync(
                        () -> super.settle(lease, outcome, retention),
                        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));
                return CompletableFuture.completedStage(true);
            }
        };
    }

    /** A store that claims in another way. */
    private static KeyStore claiming(KeyStore store, Function<ClaimRequest, CompletionStage<Claim>> claim) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Claim> claim(ClaimRequest request) {
                return claim.apply(request);
            }
        };
    }

    private static KeyStore takingOverAlways(KeyStore store) {
        return claiming(
                store, request -> store.claim(request.toBuilder().takeOver(true).build()));
    }

    private static KeyStore keepingToken(KeyStore store) {
        Inspecting inspecting = KeyStore.capability(store, Inspecting.class).orElseThrow();
        return claiming(
                store,
                request -> inspecting
                        .find(request.key().digest())
                        .thenCompose(known -> store.claim(request).thenApply(claim -> kept(known, claim))));
    }

    private static Claim kept(Optional<KeyRecord> before, Claim claim) {
        if (before.isEmpty()
                || !(claim instanceof Claim.Acquired acquired)
                || acquired.lease().attempt() == 1) {
            return claim;
        }
        Lease lease = acquired.lease();
        return new Claim.Acquired(
                new Lease(lease.digest(), lease.nonce(), before.get().token(), lease.attempt()), acquired.steps());
    }

    /** A store that replays in another way. */
    private static KeyStore replaying(KeyStore store, UnaryOperator<Outcome> change) {
        return claiming(
                store,
                request -> store.claim(request)
                        .thenApply(claim -> claim instanceof Claim.Settled settled
                                ? settled.withOutcome(change.apply(settled.outcome()))
                                : claim));
    }

    private static Outcome cut(Outcome outcome) {
        byte[] payload = outcome.requirePayload();
        return copy(outcome).payload(Arrays.copyOf(payload, payload.length / 2)).build();
    }

    /** Sometimes, as when the answers of a batch are distinguished by their order. */
    private static UnaryOperator<Outcome> lastOutcome() {
        AtomicReference<@Nullable Outcome> last = new AtomicReference<>();
        return outcome -> {
            Outcome before = last.getAndSet(outcome);
            return before == null || !sometimes() ? outcome : before;
        };
    }

    private static boolean sometimes() {
        return ThreadLocalRandom.current().nextInt(20) == 0;
    }

    private static KeyStore seeminglySettling(KeyStore store) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
                return super.settle(lease, outcome, retention).thenApply(settled -> true);
            }
        };
    }

    private static KeyStore forgettingSettles(KeyStore store) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
                return sometimes() ? CompletableFuture.completedStage(true) : super.settle(lease, outcome, retention);
            }
        };
    }

    private static KeyStore retaining(KeyStore store, UnaryOperator<Retention> change) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
                return super.settle(lease, outcome, change.apply(retention));
            }
        };
    }

    /** As if the store did not look whether the insert was the first. */
    private static KeyStore runningLostClaims(KeyStore store) {
        return claiming(
                store,
                request -> store.claim(request)
                        .thenApply(claim -> claim instanceof Claim.InFlight && sometimes()
                                ? new Claim.Acquired(new Lease(request.key().digest(), request.nonce(), 1, 1), Map.of())
                                : claim));
    }

    /** As if a cache stood before the store. */
    private static KeyStore remembering(KeyStore store, Class<? extends Claim> kind) {
        Map<KeyDigest, Claim> remembered = new ConcurrentHashMap<>();
        return claiming(store, request -> {
            Claim before = remembered.remove(request.key().digest());
            return before == null
                    ? store.claim(request).thenApply(claim -> {
                        if (kind.isInstance(claim)) {
                            remembered.put(request.key().digest(), claim);
                        }
                        return claim;
                    })
                    : CompletableFuture.completedStage(before);
        });
    }

    private static KeyStore forgettingSteps(KeyStore store) {
        return claiming(
                store,
                request -> store.claim(request)
                        .thenApply(claim -> claim instanceof Claim.Acquired acquired
                                ? new Claim.Acquired(acquired.lease(), Map.of())
                                : claim));
    }

    private static KeyStore losingSteps(KeyStore store) {
        final class LosingSteps extends ForwardingKeyStore implements StepRecording {

            LosingSteps() {
                super(store);
            }

            @Override
            public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
                return ThreadLocalRandom.current().nextBoolean()
                        ? CompletableFuture.completedStage(true)
                        : require(StepRecording.class).recordStep(lease, name, result);
            }
        }
        return new LosingSteps();
    }

    private static KeyStore releasingInsteadOfAbandoning(KeyStore store) {
        return new ForwardingKeyStore(store) {
            @Override
            public CompletionStage<Boolean> abandon(Lease lease) {
                return super.release(lease);
            }
        };
    }

    private static KeyStore freeingUnknown(KeyStore store) {
        Inspecting inspecting = KeyStore.capability(store, Inspecting.class).orElseThrow();
        return claiming(
                store,
                request -> store.claim(request)
                        .thenCompose(claim -> claim instanceof Claim.Unknown
                                ? freed(inspecting, request.key().digest()).thenCompose(freed -> store.claim(request))
                                : CompletableFuture.completedStage(claim)));
    }

    private static CompletionStage<Boolean> freed(Inspecting inspecting, KeyDigest digest) {
        return inspecting
                .find(digest)
                .thenCompose(record -> record.isEmpty()
                        ? CompletableFuture.completedStage(false)
                        : inspecting.resolve(
                                digest,
                                record.get().token(),
                                new Resolution.Release(),
                                "its outcome is unknown, so it is free"));
    }

    private static Outcome printed(Outcome outcome) {
        String text = new String(outcome.requirePayload(), StandardCharsets.UTF_8);
        return copy(outcome)
                .payload(text.replace(" : ", ":").replace("1.50", "1.5"))
                .build();
    }

    private static Outcome.Builder copy(Outcome outcome) {
        return Outcome.builder(outcome.result()).status(outcome.status());
    }

    private static KeyStore committingAlways(KeyStore store) {
        return new JoiningStore(store) {
            @Override
            public boolean settle(Connection transaction, Lease lease, Outcome outcome, Retention retention) {
                super.settle(transaction, lease, outcome, retention);
                return true;
            }
        };
    }
}
