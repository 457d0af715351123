package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.policy.Recovery;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers of every kind that Spring MVC has. */
@RestController
class MvcController {

    static final class RenderedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RenderedException(String message) {
            super(message);
        }
    }

    static final class TryAgainException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    /** A bean that nobody may use. */
    static class Denied {

        @PreAuthorize("hasRole('NOBODY')")
        public void enter() {}
    }

    final AtomicInteger runs = new AtomicInteger();
    volatile CompletableFuture<String> gate = new CompletableFuture<>();
    private final Orders orders;

    MvcController(Orders orders) {
        this.orders = orders;
    }

    @Idempotent(value = "stripe-charge", dialect = "stripe")
    @PostMapping("/stripe-charge")
    Map<String, Object> stripeCharge(@RequestBody Map<String, Object> body) {
        return Map.of("run", runs.incrementAndGet());
    }

    @Idempotent("charge")
    @PostMapping("/charge")
    ResponseEntity<Map<String, Object>> charge(@RequestBody Map<String, Object> body) {
        int run = runs.incrementAndGet();
        return ResponseEntity.created(URI.create("/charges/" + run)).body(Map.of("run", run));
    }

    @Idempotent
    @PostMapping("/deferred")
    DeferredResult<String> deferred() {
        DeferredResult<String> result = new DeferredResult<>();
        ForkJoinPool.commonPool().execute(() -> result.setResult("deferred run " + runs.incrementAndGet()));
        return result;
    }

    @Idempotent
    @PostMapping("/future")
    CompletableFuture<Map<String, Integer>> future() {
        return CompletableFuture.supplyAsync(() -> Map.of("run", runs.incrementAndGet()));
    }

    @Idempotent
    @PostMapping("/mono")
    Mono<ResponseEntity<String>> mono() {
        return Mono.fromSupplier(() -> ResponseEntity.accepted().body("mono run " + runs.incrementAndGet()));
    }

    @Idempotent
    @PostMapping(path = "/flux", produces = MediaType.APPLICATION_NDJSON_VALUE)
    Flux<String> flux() {
        int run = runs.incrementAndGet();
        return Flux.just("run " + run + "\n", "end\n");
    }

    @Idempotent
    @PostMapping("/stream")
    StreamingResponseBody stream() {
        int run = runs.incrementAndGet();
        return out -> {
            for (int i = 0; i < 100; i++) {
                out.write(("line " + i + " of run " + run + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        };
    }

    @Idempotent
    @PostMapping("/nothing")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void nothing() {
        runs.incrementAndGet();
    }

    @Idempotent
    @PostMapping("/rendered")
    String rendered() {
        throw new RenderedException("run " + runs.incrementAndGet());
    }

    @Idempotent
    @PostMapping("/rendered-later")
    CompletableFuture<String> renderedLater() {
        return CompletableFuture.failedFuture(new RenderedException("run " + runs.incrementAndGet()));
    }

    @ExceptionHandler(RenderedException.class)
    ResponseEntity<String> render(RenderedException failure) {
        return ResponseEntity.status(500).body("rendered " + failure.getMessage());
    }

    @Idempotent
    @PostMapping("/send-error")
    void sendError(HttpServletResponse response) throws IOException {
        response.sendError(409, "conflict of run " + runs.incrementAndGet());
    }

    @Idempotent
    @PostMapping("/status-exception")
    void statusException() {
        throw new ResponseStatusException(HttpStatus.CONFLICT, "conflict of run " + runs.incrementAndGet());
    }

    @Idempotent
    @PostMapping("/thrown")
    void thrown() {
        throw new UnsupportedOperationException("run " + runs.incrementAndGet());
    }

    @Idempotent(notExecuted = TryAgainException.class)
    @PostMapping("/try-again")
    String tryAgain() {
        runs.incrementAndGet();
        throw new TryAgainException();
    }

    @ExceptionHandler(TryAgainException.class)
    ResponseEntity<String> renderTryAgain(TryAgainException failure) {
        return ResponseEntity.status(503).body("later");
    }

    @Idempotent
    @PostMapping("/not-executed")
    String notExecuted() {
        runs.incrementAndGet();
        throw new NotExecutedException("nothing happened", null);
    }

    @Idempotent
    @PostMapping("/denied")
    String denied(@RequestParam(defaultValue = "x") String why) {
        runs.incrementAndGet();
        MvcApplication.running().getBean(Denied.class).enter();
        return "entered";
    }

    @Idempotent
    @PostMapping("/accounts/{id}/charge")
    String account(@PathVariable String id) {
        return "charged " + id + " in run " + runs.incrementAndGet();
    }

    @Idempotent(value = "natural", key = "#id + '/' + #query['part']")
    @PostMapping("/natural/{id}")
    String natural(@PathVariable String id) {
        return id + " in run " + runs.incrementAndGet();
    }

    @Idempotent(value = "natural-fields", keyFields = "/number", include = "/number")
    @PostMapping("/natural-fields")
    String naturalFields(@RequestBody Map<String, Object> body) {
        return body.get("number") + " in run " + runs.incrementAndGet();
    }

    @Idempotent(value = "key-in-body", keyFrom = "json:/request_id")
    @PostMapping("/key-in-body")
    String keyInBody(@RequestBody Map<String, Object> body) {
        return body.get("request_id") + " in run " + runs.incrementAndGet();
    }

    @Idempotent(value = "no-key", keyFrom = "body-hash", ignore = "/sentAt")
    @PostMapping("/no-key/{account}")
    String noKey(@PathVariable String account, @RequestBody Map<String, Object> body) {
        return account + " in run " + runs.incrementAndGet();
    }

    @Idempotent
    @PostMapping("/slow")
    String slow() {
        int run = runs.incrementAndGet();
        return gate.join() + " of run " + run;
    }

    @Idempotent(waitFor = "20s")
    @PostMapping("/patient")
    String patient() {
        return slow();
    }

    @Idempotent(waitFor = "300ms")
    @PostMapping("/impatient")
    String impatient() {
        return slow();
    }

    @Idempotent(accepted = true)
    @PostMapping("/accepted")
    String accepted() {
        return slow();
    }

    @Idempotent(required = false)
    @PostMapping("/optional")
    String optional(Attempt attempt) {
        return "attempt " + attempt.number() + " in run " + runs.incrementAndGet();
    }

    /** What a service does that keeps its orders in the same database: the order happens once, whatever crashes. */
    @Idempotent(recovery = Recovery.RE_EXECUTE)
    @PostMapping("/orders")
    Orders.Receipt order(@RequestBody Orders.Order order, Attempt attempt) {
        runs.incrementAndGet();
        return orders.placeAsChild(order, attempt);
    }

    @Idempotent(value = "unknown", lease = "500ms")
    @PostMapping("/unknown")
    String unknown() {
        if (runs.incrementAndGet() == 1) {
            throw new OutcomeUnknownException("the processor did not answer", null);
        }
        return "run " + runs.get();
    }

    @PostMapping("/open")
    String open() {
        return "run " + runs.incrementAndGet();
    }
}
