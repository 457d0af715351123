package dev.semel.examples.payments;

import dev.semel.Outcome;
import dev.semel.policy.Reconciler;
import dev.semel.spring.Reconciles;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.stereotype.Component;

/**
 * Finds out whether a refund without an answer took place: the processor can look up our reference.
 *
 * <p>If the processor does not know a refund, that proves nothing at first. The request may still be in a queue, in the
 * network or at the processor, and be carried out later. If we had answered "not executed", the refund would then be
 * made twice. So the answer is "cannot tell" until no queue can still hold the request. Semel asks again from time to
 * time.
 */
// quoted: reconciler
@Component
@Reconciles("refund")
class RefundReconciler implements Reconciler {

    private final FakeProcessor processor;

    RefundReconciler(FakeProcessor processor) {
        this.processor = processor;
    }

    @Override
    public CompletionStage<Verdict> reconcile(Case lapsed) {
        Optional<String> refund = processor.findRefund(lapsed.key().childValue("refund"));
        return CompletableFuture.completedStage(refund.isPresent() ? done(refund.get()) : notFound(lapsed));
    }

    /** The response that a retry gets: the same as that of the controller. */
    private static Verdict done(String refund) {
        return new Verdict.Done(Outcome.succeeded()
                .status(200)
                .contentType("text/plain;charset=UTF-8")
                .payload(refund)
                .build());
    }

    private Verdict notFound(Case lapsed) {
        boolean mayBeQueued = lapsed.age().compareTo(processor.longestQueue()) <= 0;
        return mayBeQueued ? new Verdict.CannotTell() : new Verdict.NotExecuted();
    }
}
// end
