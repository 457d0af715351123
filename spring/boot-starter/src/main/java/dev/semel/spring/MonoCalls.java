package dev.semel.spring;

import dev.semel.Execution;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** What needs Reactor, which an application may not have. */
final class MonoCalls {

    private MonoCalls() {}

    /** A Mono whose subscriber may go away while the operation goes on. */
    static Object of(Supplier<CompletableFuture<Execution<Optional<Object>>>> call) {
        return Mono.defer(() -> Mono.fromFuture(call.get(), true))
                .flatMap(execution -> Mono.justOrEmpty(execution.get()));
    }

    static CompletionStage<Optional<Object>> stage(Object mono) {
        return ((Mono<?>) mono)
                .<Optional<Object>>map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .toFuture();
    }
}
