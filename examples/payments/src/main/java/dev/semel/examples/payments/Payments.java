package dev.semel.examples.payments;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.policy.Recovery;
import dev.semel.spring.Idempotent;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes payments: charges a card, places an order, sends a receipt. */
@RestController
class Payments {

    record Request(String item, int cents, String card, String email) {}

    record Payment(long order, String charge) {}

    private final FakeProcessor processor;
    private final Orders orders;
    private final FakeMailer mailer;

    Payments(FakeProcessor processor, Orders orders, FakeMailer mailer) {
        this.processor = processor;
        this.orders = orders;
        this.mailer = mailer;
    }

    /**
     * May run again after a crash, because every part happens once: the processor and the mailer recognise their child
     * keys, the order is placed in a transaction, and a finished step does not run again.
     */
    @Idempotent(value = "payment", recovery = Recovery.RE_EXECUTE)
    @PostMapping("/payments")
    @ResponseStatus(HttpStatus.CREATED)
    Payment pay(@RequestBody Request request, Attempt attempt) throws Exception {
        String charge = attempt.step(
                "charge",
                Codec.text(),
                () -> processor.charge(attempt.childKey("charge"), request.card(), request.cents()));
        long order = orders.place(request.item(), charge, attempt);
        attempt.step(
                "receipt",
                Codec.text(),
                () -> mailer.send(attempt.childKey("receipt"), request.email(), "Thank you for order " + order));
        return new Payment(order, charge);
    }

    /** A refusal is an outcome like any other: a retry gets it again, and the card is not tried twice. */
    @ExceptionHandler
    @ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
    String declined(FakeProcessor.CardDeclinedException declined) {
        return "card " + declined.card() + " was declined";
    }
}
