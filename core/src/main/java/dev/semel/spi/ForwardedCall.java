package dev.semel.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The answer of a store to a call that another store made for it. Giving it up gives up that call as well. */
public final class ForwardedCall<T> extends CompletableFuture<T> {

    private volatile CompletionStage<?> call;

    private ForwardedCall(CompletionStage<?> call) {
        this.call = call;
    }

    /**
     * A future that the caller completes, with a result derived from the call's answer.
     *
     * @param call the call that is cancelled together with the future; its failure then becomes that of the future
     */
    public static <T> ForwardedCall<T> of(CompletionStage<?> call) {
        return new ForwardedCall<>(call);
    }

    /** Completes with the result of a function on the call's answer. Cancelling it cancels the call. */
    public static <A, T> ForwardedCall<T> map(CompletionStage<A> call, Function<? super A, ? extends T> function) {
        return compose(call, answer -> CompletableFuture.completedFuture(function.apply(answer)));
    }

    /**
     * Completes with the result of a second call, made from the first call's answer. Cancelling it cancels the call in
     * progress.
     */
    public static <A, T> ForwardedCall<T> compose(
            CompletionStage<A> call, Function<? super A, ? extends CompletionStage<T>> next) {
        ForwardedCall<T> result = of(call);
        call.whenComplete((answer, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else {
                result.follow(answer, next);
            }
        });
        return result;
    }

    private <A> void follow(A answer, Function<? super A, ? extends CompletionStage<T>> next) {
        try {
            CompletionStage<T> following = next.apply(answer);
            call = following;
            following.whenComplete((value, failure) -> {
                if (failure != null) {
                    completeExceptionally(failure);
                } else {
                    complete(value);
                }
            });
        } catch (RuntimeException e) {
            completeExceptionally(e);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        CompletableFuture<?> source = call.toCompletableFuture();
        source.cancel(mayInterruptIfRunning);
        source.whenComplete((answer, failure) -> {
            if (failure != null) {
                completeExceptionally(failure);
            }
        });
        return super.cancel(mayInterruptIfRunning) || isCompletedExceptionally();
    }
}
