package dev.semel.spring.failures;

import dev.semel.NoValueException;
import dev.semel.spring.Idempotent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Handlers without a key of their own, which call an operation that has one. */
@Import({NestedCalls.Charges.class, NestedCalls.Handlers.class, NestedCalls.Rendering.class})
class NestedCalls {

    static class Charges {

        private final AtomicInteger runs = new AtomicInteger();
        private volatile CompletableFuture<String> result = new CompletableFuture<>();

        @Idempotent(value = "nested-charge", key = "#id")
        CompletableFuture<String> charge(String id, int amount) {
            runs.incrementAndGet();
            return result;
        }

        @Idempotent(value = "nested-refund", key = "#id")
        String refund(String id, int amount) {
            return "refunded " + amount;
        }

        CompletableFuture<String> result() {
            return result;
        }

        void result(CompletableFuture<String> next) {
            result = next;
        }

        int runs() {
            return runs.get();
        }
    }

    @RestController
    static class Handlers {

        private final Charges charges;

        Handlers(Charges charges) {
            this.charges = charges;
        }

        @PostMapping("/nested/{id}/{amount}")
        CompletableFuture<String> charge(@PathVariable String id, @PathVariable int amount) {
            return charges.charge(id, amount);
        }

        @PostMapping("/nested-refund/{id}/{amount}")
        String refund(@PathVariable String id, @PathVariable int amount) {
            return charges.refund(id, amount);
        }
    }

    @RestController
    static class Rendering {

        private final Charges charges;

        Rendering(Charges charges) {
            this.charges = charges;
        }

        @PostMapping("/nested-rendered/{id}/{amount}")
        String refund(@PathVariable String id, @PathVariable int amount) {
            return charges.refund(id, amount);
        }

        @ExceptionHandler
        String render(NoValueException failure) {
            return "rendered";
        }
    }
}
