package dev.semel.dynamodb;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Helpers for calls that are under way. */
final class Stages {

    private Stages() {}

    /** Completes with all results in their order, or with the first failure. */
    static <T> CompletableFuture<List<T>> all(List<? extends CompletionStage<T>> parts) {
        List<CompletableFuture<T>> futures =
                parts.stream().map(CompletionStage::toCompletableFuture).toList();
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }
}
