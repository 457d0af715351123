package dev.semel.examples.payments;

import dev.semel.Attempt;
import dev.semel.OutcomeUnknownException;
import dev.semel.policy.Recovery;
import dev.semel.spring.Idempotent;
import java.io.IOException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Makes refunds, with a call that is not idempotent and must never be made twice. */
@RestController
class Refunds {

    private final FakeProcessor processor;

    Refunds(FakeProcessor processor) {
        this.processor = processor;
    }

    /** When it is unknown whether the money went out, {@link RefundReconciler} asks the processor. */
    // quoted: refund
    @Idempotent(value = "refund", recovery = Recovery.RECONCILE)
    @PostMapping("/payments/{charge}/refund")
    String refund(@PathVariable String charge, Attempt attempt) {
        try {
            return processor.refund(charge, attempt.childKey("refund"));
        } catch (IOException e) {
            throw new OutcomeUnknownException("the processor did not answer", e);
        }
    }
    // end
}
