package dev.semel.examples.payments;

import dev.semel.Outcome;
import dev.semel.Reconciler;
import dev.semel.spring.Reconciles;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.stereotype.Component;

/** Finds out whether a refund took place whose answer never came: the processor can be asked by our reference. */
@Component
@Reconciles("refund")
class RefundReconciler implements Reconciler {

    private final FakeProcessor processor;

    RefundReconciler(FakeProcessor processor) {
        this.processor = processor;
    }

    @Override
    public CompletionStage<Verdict> reconcile(Case lapsed) {
        Verdict verdict = processor
                .findRefund(lapsed.key().childValue("refund"))
                .<Verdict>map(refund -> new Verdict.Done(Outcome.succeeded()
                        .status(200)
                        .contentType("text/plain;charset=UTF-8")
                        .payload(refund)
                        .build()))
                .orElseGet(Verdict.NotExecuted::new);
        return CompletableFuture.completedStage(verdict);
    }
}
