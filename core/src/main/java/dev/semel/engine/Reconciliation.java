package dev.semel.engine;

import dev.semel.observe.SemelEvent;
import dev.semel.policy.Reconciler;
import dev.semel.util.Failures;
import dev.semel.util.Text;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the application what a dead attempt did. */
public final class Reconciliation {

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private final Engine engine;
    private final Map<String, Reconciler> reconcilers;

    Reconciliation(Engine engine, Map<String, Reconciler> reconcilers) {
        this.engine = engine;
        this.reconcilers = Map.copyOf(reconcilers);
    }

    public boolean isPossible(String operation) {
        return reconcilers.containsKey(operation);
    }

    /** Throws if the operation has no reconciler. */
    public void require(String operation) {
        reconciler(operation);
    }

    private Reconciler reconciler(String operation) {
        Reconciler reconciler = reconcilers.get(operation);
        if (reconciler == null) {
            throw new IllegalStateException("operation " + Text.quote(operation)
                    + " has recovery RECONCILE but no reconciler; register one when building the engine");
        }
        return reconciler;
    }

    /**
     * Asks the reconciler. If it fails or does not answer, there is no verdict.
     *
     * @param unanswered runs if no answer came in time
     */
    public CompletionStage<Reconciler.Verdict> ask(Reconciler.Case lapsed, Runnable unanswered) {
        Reconciler reconciler = reconciler(lapsed.operation());
        return engine.answer(
                        "the reconciler of operation " + Text.quote(lapsed.operation()),
                        () -> CompletableFuture.supplyAsync(() -> reconciler.reconcile(lapsed), engine.executor)
                                .thenCompose(answer -> answer))
                .thenApply(verdict -> replayable(verdict, lapsed))
                .exceptionally(failure -> {
                    Throwable cause = Failures.unwrap(failure);
                    if (cause instanceof TimeoutException) {
                        unanswered.run();
                    }
                    engine.tell(new SemelEvent.MaintenanceFailed("reconcile", cause));
                    return new Reconciler.Verdict.CannotTell();
                });
    }

    /** An outcome that could not be replayed later is not stored: it says that the reconciler is broken, and nothing else. */
    private static Reconciler.Verdict replayable(Reconciler.Verdict verdict, Reconciler.Case lapsed) {
        if (verdict instanceof Reconciler.Verdict.Done done) {
            try {
                done.outcome().requireReplayable();
            } catch (IllegalArgumentException e) {
                LOG.error(
                        "event=invalid_verdict operation={} key={} cause=\"{}\"",
                        lapsed.operation(),
                        lapsed.key().digest(),
                        e.getMessage());
                return new Reconciler.Verdict.CannotTell();
            }
        }
        return verdict;
    }
}
