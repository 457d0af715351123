package dev.semel.spring.failures;

import dev.semel.spring.Idempotent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Flux;

/** Handlers of which only a request, or nobody, knows whether their responses are streams that end. */
class StreamingHandlers {

    private static final int LARGE = 600_000;

    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger stopped = new AtomicInteger();

    @Idempotent("values")
    @PostMapping("/values")
    Flux<Map<String, String>> values(@RequestParam(defaultValue = "1000000") long count) {
        return pieces(1).take(count);
    }

    @Idempotent("lines")
    @PostMapping(path = "/lines", produces = MediaType.APPLICATION_NDJSON_VALUE)
    Flux<Map<String, String>> lines(@RequestParam(defaultValue = "1000000") long count) {
        return pieces(1).take(count);
    }

    @Idempotent("large-lines")
    @PostMapping(path = "/large-lines", produces = MediaType.APPLICATION_NDJSON_VALUE)
    Flux<Map<String, String>> largeLines() {
        return pieces(LARGE);
    }

    private Flux<Map<String, String>> pieces(int size) {
        runs.incrementAndGet();
        return Flux.interval(Duration.ofMillis(50))
                .onBackpressureDrop()
                .map(number -> Map.of("value", "v".repeat(size)))
                .doOnCancel(stopped::incrementAndGet);
    }
}
