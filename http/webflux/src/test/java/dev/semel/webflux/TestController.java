package dev.semel.webflux;

import dev.semel.Attempt;
import dev.semel.NotExecutedException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers of every kind that WebFlux has; each counts how often it ran. */
@RestController
class TestController {

    static final class TryAgainException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    static final class RenderedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RenderedException(String message) {
            super(message);
        }
    }

    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger ends = new AtomicInteger();
    final AtomicInteger departures = new AtomicInteger();
    volatile CompletableFuture<String> gate = new CompletableFuture<>();

    @PostMapping("/mono")
    Mono<ResponseEntity<Map<String, Object>>> mono(@RequestBody Map<String, Object> body) {
        return Mono.delay(Duration.ofMillis(1))
                .map(tick -> ResponseEntity.created(URI.create("/charges/" + runs.incrementAndGet()))
                        .header("X-Not-Replayed", "once")
                        .body(Map.of("run", runs.get(), "amount", body.get("amount"))));
    }

    @PostMapping(path = "/flux", produces = MediaType.APPLICATION_NDJSON_VALUE)
    Flux<Map<String, Integer>> flux() {
        int run = runs.incrementAndGet();
        return Flux.range(1, 3)
                .delayElements(Duration.ofMillis(1))
                .map(i -> Map.of("run", run, "i", i).entrySet().stream()
                        .collect(java.util.TreeMap::new, (m, e) -> m.put(e.getKey(), e.getValue()), Map::putAll));
    }

    @PostMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<String> events() {
        int run = runs.incrementAndGet();
        return Flux.just("run " + run, "end").delayElements(Duration.ofMillis(1));
    }

    @PostMapping("/future")
    CompletableFuture<String> future() {
        return CompletableFuture.supplyAsync(() -> "run " + runs.incrementAndGet());
    }

    @PostMapping("/empty")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> empty() {
        return Mono.fromRunnable(runs::incrementAndGet);
    }

    @PostMapping("/large")
    Flux<String> large() {
        int run = runs.incrementAndGet();
        return Flux.range(0, 300).map(i -> ("run " + run + ' ').repeat(200));
    }

    /** More than is kept, then the rest when the gate opens. */
    @PostMapping("/large-slow")
    Flux<String> largeAndSlow() {
        int run = runs.incrementAndGet();
        return Flux.range(0, 300)
                .map(i -> ("run " + run + ' ').repeat(200))
                .concatWith(Mono.fromFuture(gate, true))
                .doOnComplete(ends::incrementAndGet);
    }

    @PostMapping("/large-half")
    Flux<String> largeHalf() {
        int run = runs.incrementAndGet();
        return Flux.range(0, 300)
                .map(i -> ("run " + run + ' ').repeat(200))
                .concatWith(Flux.error(() -> new IllegalStateException("run " + run)));
    }

    @PostMapping("/rendered")
    Mono<String> rendered() {
        return Mono.error(() -> new RenderedException("run " + runs.incrementAndGet()));
    }

    @ExceptionHandler(RenderedException.class)
    ResponseEntity<String> render(RenderedException failure) {
        return ResponseEntity.status(500).body("rendered " + failure.getMessage());
    }

    @PostMapping("/handled")
    Mono<String> handled() {
        throw new IllegalStateException("run " + runs.incrementAndGet());
    }

    @PostMapping("/half")
    Flux<String> half() {
        int run = runs.incrementAndGet();
        return Flux.just("half of ").concatWith(Flux.error(() -> new IllegalStateException("run " + run)));
    }

    @PostMapping("/thrown")
    Mono<String> thrown() {
        throw new UnsupportedOperationException("run " + runs.incrementAndGet());
    }

    @PostMapping("/out-of-memory")
    Mono<String> outOfMemory() {
        return Mono.error(new OutOfMemoryError("run " + runs.incrementAndGet()));
    }

    @PostMapping("/missing-class")
    Mono<String> missingClass() {
        return Mono.error(new NoClassDefFoundError("run " + runs.incrementAndGet()));
    }

    @PostMapping("/out-of-memory-in-between")
    Flux<String> outOfMemoryInBetween() {
        int run = runs.incrementAndGet();
        return Flux.just("half of ").concatWith(Flux.error(() -> new OutOfMemoryError("run " + run)));
    }

    @PostMapping("/denied")
    Mono<String> denied() {
        runs.incrementAndGet();
        throw new SecurityException("denied");
    }

    @PostMapping("/not-executed")
    Mono<String> notExecuted() {
        runs.incrementAndGet();
        throw new NotExecutedException("nothing happened", null);
    }

    @PostMapping("/try-again")
    Mono<String> tryAgain() {
        runs.incrementAndGet();
        throw new TryAgainException();
    }

    @PostMapping("/slow")
    Mono<String> slow() {
        int run = runs.incrementAndGet();
        return Mono.fromFuture(gate, true).map(text -> text + " of run " + run);
    }

    @PostMapping("/accounts/{id}/charge")
    Mono<String> charge(@PathVariable String id) {
        return Mono.just("charged " + id + " in run " + runs.incrementAndGet());
    }

    @PostMapping(path = "/form", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    Mono<String> form(ServerWebExchange exchange) {
        int run = runs.incrementAndGet();
        return exchange.getFormData().map(form -> form.getFirst("amount") + " in run " + run);
    }

    @PostMapping(path = "/upload", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
    Mono<String> upload(@RequestPart("file") FilePart file) {
        int run = runs.incrementAndGet();
        return DataBufferUtils.join(file.content()).map(buffer -> {
            String text = buffer.toString(StandardCharsets.UTF_8);
            DataBufferUtils.release(buffer);
            return file.filename() + " " + text.length() + " in run " + run;
        });
    }

    @PostMapping("/length")
    Mono<String> length(ServerWebExchange exchange) {
        int run = runs.incrementAndGet();
        return exchange.getRequest()
                .getBody()
                .map(buffer -> {
                    int length = buffer.readableByteCount();
                    DataBufferUtils.release(buffer);
                    return length;
                })
                .reduce(0, Integer::sum)
                .map(length -> length + " in run " + run);
    }

    @PostMapping("/attempt")
    Mono<String> attempt(ServerWebExchange exchange) {
        Attempt attribute = exchange.getRequiredAttribute(SemelWebFilter.ATTEMPT);
        return Mono.deferContextual(context -> Mono.just(
                attribute.childKey("mail").equals(context.get(Attempt.class).childKey("mail")) + " "
                        + attribute.number()));
    }

    @PostMapping("/open")
    Mono<String> open() {
        return Mono.just("run " + runs.incrementAndGet());
    }
}
