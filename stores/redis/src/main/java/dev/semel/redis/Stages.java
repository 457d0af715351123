package dev.semel.redis;

import static dev.semel.util.Failures.unwrap;

import dev.semel.store.StoreUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Helpers for calls that are under way. */
final class Stages {

    private Stages() {}

    /** Completes with all results in their order, or with the first failure. Giving it up gives up all parts. */
    static <T> CompletableFuture<List<T>> all(List<? extends CompletionStage<T>> stages) {
        List<CompletableFuture<T>> parts =
                stages.stream().map(CompletionStage::toCompletableFuture).toList();
        // The parts decide how it ends: those that were sent may still take effect.
        CompletableFuture<List<T>> all = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                parts.forEach(part -> part.cancel(mayInterruptIfRunning));
                return isCompletedExceptionally();
            }
        };
        CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            if (failure == null) {
                all.complete(parts.stream().map(CompletableFuture::join).toList());
            } else if (parts.size() > 1
                    && unwrap(failure) instanceof StoreUnavailableException some
                    && some.isNotSent()) {
                all.completeExceptionally(new StoreUnavailableException("not all of several calls were sent", failure));
            } else {
                all.completeExceptionally(failure);
            }
        });
        return all;
    }
}
