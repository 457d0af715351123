package dev.semel.maintenance;

import dev.semel.Outcome;
import dev.semel.engine.Engine;
import dev.semel.lease.RunningAttempt;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Recovery;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Resolution;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Resolves keys whose owner died and whose client does not retry. Several nodes can do this at the same time: each
 * resolution is one conditional write, and the second finds that the key has changed.
 *
 * <p>Most stores have to scan all keys to find them. A round does a bounded part of that, and the next one goes on behind it.
 */
final class LapsedKeyResolver {

    private static final String FOUND_OUT = "the reconciler found out";
    private static final int PAGE = 100;
    private static final int PAGES_IN_A_ROUND = 50;

    private final Engine engine;
    private final Inspecting inspecting;
    private final Map<String, Policy> policies;

    /** Operations whose reconciler did not answer in this round: it is not asked again before the next one. */
    private final Set<String> silent = ConcurrentHashMap.newKeySet();

    private final KeyScan lapsed = new KeyScan(KeyState.LAPSED);
    private final KeyScan unknown = new KeyScan(KeyState.UNKNOWN);

    LapsedKeyResolver(Engine engine, Inspecting inspecting, Map<String, Policy> policies) {
        this.engine = engine;
        this.inspecting = inspecting;
        this.policies = policies;
    }

    /** Resolves lapsed keys: the first thing in a round. */
    CompletionStage<Void> resolveLapsed() {
        silent.clear();
        return lapsed.scan(PAGES_IN_A_ROUND);
    }

    /** Asks reconcilers again about keys that they could not decide before. */
    CompletionStage<Void> resolveUnknown() {
        return policies.values().stream().anyMatch(this::reconciles)
                ? unknown.scan(PAGES_IN_A_ROUND)
                : CompletableFuture.completedStage(null);
    }

    /** A scan of all keys in a state, from the first to the last and again from the first. */
    private final class KeyScan {

        private final KeyState state;

        /** The cursor after the last page; {@code null} at the first key. */
        private volatile @Nullable String cursor;

        KeyScan(KeyState state) {
            this.state = state;
        }

        CompletionStage<Void> scan(int pages) {
            return nextPage().thenCompose(page -> {
                CompletionStage<Void> done = CompletableFuture.completedStage(null);
                for (KeyRecord record : page.records()) {
                    done = done.thenCompose(
                            before -> Maintenance.noting(engine, "resolve a key", () -> resolve(record)));
                }
                return page.next() == null || pages == 1 ? done : done.thenCompose(before -> scan(pages - 1));
            });
        }

        /** A page that cannot be had is not asked for again and again: the next round starts at the first key. */
        private CompletionStage<KeyPage> nextPage() {
            KeyQuery query = KeyQuery.inState(state, PAGE).after(cursor);
            cursor = null;
            return engine.answer("the store", () -> inspecting.page(query)).thenApply(page -> {
                cursor = page.next();
                return page;
            });
        }
    }

    private CompletionStage<Void> resolve(KeyRecord record) {
        Policy policy = policies.get(record.operation());
        if (policy == null || policy.recovery() == Recovery.RE_EXECUTE) {
            return CompletableFuture.completedStage(null);
        }
        if (record.state() == KeyState.UNKNOWN) {
            return reconciles(policy) ? reconcileInPlace(policy, record) : CompletableFuture.completedStage(null);
        }
        return switch (policy.recovery()) {
            case HOLD, RE_EXECUTE ->
                decide(policy, record, new Resolution.Hold(), "the lease lapsed and the policy is to hold");
            case RECONCILE -> reconciles(policy) ? reconcile(policy, record) : CompletableFuture.completedStage(null);
            case FAIL -> takeOver(policy, record, attempt -> settle(attempt, policy, Engine.DIED));
        };
    }

    private boolean reconciles(Policy policy) {
        return policy.recovery() == Recovery.RECONCILE
                && engine.reconciliation().isPossible(policy.operation())
                && !silent.contains(policy.operation());
    }

    private CompletionStage<Void> decide(Policy policy, KeyRecord record, Resolution resolution, String reason) {
        return engine.answer(
                        "the store",
                        () -> inspecting.resolve(record.key().digest(), record.token(), resolution, reason))
                .thenAccept(decided -> {
                    if (decided && record.state() == KeyState.LAPSED) {
                        tellLapsed(policy, record);
                    }
                });
    }

    private CompletionStage<Void> takeOver(
            Policy policy, KeyRecord record, Function<RunningAttempt, CompletionStage<Void>> action) {
        ClaimRequest request = ClaimRequest.builder(record.key(), policy.operation(), record.fingerprint())
                .lease(policy.lease())
                .retention(policy.retention())
                .takeOver(true)
                .traceId(record.origin())
                .build();
        long askedAt = System.nanoTime();
        return engine.store().claim(request).thenCompose(claim -> {
            if (!(claim instanceof Claim.Acquired acquired)) {
                return CompletableFuture.completedStage(null);
            }
            if (acquired.lease().attempt() == 1) {
                // Another node resolved the key in between and this claim created a new one.
                return engine.store()
                        .release(acquired.lease(), engine.settings().claimPatience())
                        .thenAccept(released -> {});
            }
            tellLapsed(policy, record);
            RunningAttempt attempt = engine.attempts().begin(record.key(), policy, acquired, askedAt);
            return CompletableFuture.completedStage(attempt)
                    .thenCompose(action)
                    .whenComplete((done, failure) -> engine.attempts().end(attempt));
        });
    }

    private CompletionStage<Void> reconcile(Policy policy, KeyRecord record) {
        return !record.hasSteps()
                ? takeOver(policy, record, attempt -> reconcileLapsed(policy, attempt, record))
                : reconcileInPlace(policy, record);
    }

    private CompletionStage<Void> reconcileLapsed(Policy policy, RunningAttempt attempt, KeyRecord record) {
        return ask(policy, record).thenCompose(verdict -> {
            if (verdict instanceof Reconciler.Verdict.Done done) {
                return settle(attempt, policy, done.outcome());
            }
            attempt.markEnding();
            if (verdict instanceof Reconciler.Verdict.NotExecuted) {
                return engine.attempts().notExecuted(attempt).thenAccept(released -> {});
            }
            return engine.store()
                    .abandon(attempt.lease(), "the lease lapsed and the reconciler cannot tell")
                    .thenAccept(abandoned -> engine.tell(new SemelEvent.Abandoned(attempt.subject(), null)));
        });
    }

    private CompletionStage<Void> settle(RunningAttempt attempt, Policy policy, Outcome outcome) {
        attempt.markEnding();
        return engine.store()
                .settle(
                        attempt.lease(),
                        outcome,
                        policy.retention(),
                        engine.settings().settlePatience())
                .thenAccept(settled -> {});
    }

    /**
     * Asks without taking the key over. A key with steps is never freed, because a retry would run them again. A lapsed
     * one is left to a retry, which continues after the steps; an unknown one is left to a person.
     */
    private CompletionStage<Void> reconcileInPlace(Policy policy, KeyRecord record) {
        return ask(policy, record).thenCompose(verdict -> {
            if (verdict instanceof Reconciler.Verdict.Done done) {
                return decide(policy, record, new Resolution.Settle(done.outcome()), FOUND_OUT);
            }
            if (verdict instanceof Reconciler.Verdict.NotExecuted) {
                return !record.hasSteps()
                        ? decide(policy, record, new Resolution.Release(), FOUND_OUT)
                        : CompletableFuture.completedStage(null);
            }
            return record.state() == KeyState.LAPSED
                    ? decide(policy, record, new Resolution.Hold(), "the lease lapsed and the reconciler cannot tell")
                    : CompletableFuture.completedStage(null);
        });
    }

    private CompletionStage<Reconciler.Verdict> ask(Policy policy, KeyRecord record) {
        return engine.store()
                .lapsedFor(inspecting, record)
                .thenCompose(age -> engine.reconciliation()
                        .ask(
                                Reconciler.Case.builder(record.key(), policy.operation(), record.fingerprint())
                                        .attempt(record.attempt())
                                        .age(age)
                                        .build(),
                                () -> silent.add(policy.operation())));
    }

    private void tellLapsed(Policy policy, KeyRecord record) {
        engine.tell(new SemelEvent.Lapsed(
                SemelEvent.Subject.of(policy.operation(), record.key().digest())
                        .attempt(record.attempt(), record.token()),
                policy.recovery()));
    }
}
