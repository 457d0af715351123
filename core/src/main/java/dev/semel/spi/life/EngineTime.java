package dev.semel.spi.life;

import dev.semel.util.Failures;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Reads the engine's clock, if its other answers do not contain the time.
 *
 * @param request asks the engine; ends within a limited time
 * @param resolution the resolution of its time
 */
public record EngineTime(Supplier<CompletionStage<Instant>> request, Duration resolution) {

    CompletionStage<Instant> now() {
        return Failures.inStage(request);
    }
}
