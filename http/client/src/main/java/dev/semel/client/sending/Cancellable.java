package dev.semel.client.sending;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A chain of stages. Cancelling its last stage cancels the running one. */
public final class Cancellable<T> {

    private final CompletableFuture<T> result;

    public Cancellable(CompletionStage<T> first) {
        this.result = first.toCompletableFuture();
    }

    public <U> Cancellable<U> then(Function<? super T, ? extends CompletionStage<U>> next) {
        CompletableFuture<U> end = new CompletableFuture<>();
        cancelWith(end, result);
        result.whenComplete((value, failure) -> {
            if (failure != null) {
                end.completeExceptionally(unwrap(failure));
                return;
            }
            if (end.isDone()) {
                return;
            }
            CompletableFuture<U> following = run(next, value);
            cancelWith(end, following);
            following.whenComplete((done, broken) -> {
                if (broken != null) {
                    end.completeExceptionally(unwrap(broken));
                } else {
                    end.complete(done);
                }
            });
        });
        return new Cancellable<>(end);
    }

    /** Runs before a failure, or a cancellation, is passed on. */
    public Cancellable<T> orElse(Function<Throwable, ? extends CompletionStage<Void>> cleanUp) {
        CompletableFuture<T> end = new CompletableFuture<>();
        cancelWith(end, result);
        result.whenComplete((value, failure) -> {
            if (failure == null) {
                end.complete(value);
                return;
            }
            Throwable cause = unwrap(failure);
            run(cleanUp, cause).whenComplete((done, broken) -> {
                if (broken != null) {
                    cause.addSuppressed(unwrap(broken));
                }
                end.completeExceptionally(cause);
            });
        });
        return new Cancellable<>(end);
    }

    public CompletableFuture<T> result() {
        return result;
    }

    private static <A, B> CompletableFuture<B> run(Function<? super A, ? extends CompletionStage<B>> next, A value) {
        try {
            return next.apply(value).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void cancelWith(CompletableFuture<?> end, CompletableFuture<?> running) {
        end.whenComplete((value, failure) -> {
            if (end.isCancelled()) {
                running.cancel(true);
            }
        });
    }

    public static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
