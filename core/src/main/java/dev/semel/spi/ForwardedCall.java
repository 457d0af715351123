package dev.semel.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The answer of a store to a call that another store made for it. Giving it up gives up that call as well. */
public final class ForwardedCall<T> extends CompletableFuture<T> {

    private final CompletionStage<?> call;

    private ForwardedCall(CompletionStage<?> call) {
        this.call = call;
    }

    /**
     * A future that the caller completes with what it makes of the call's answer.
     *
     * @param call what is cancelled together with the future; its failure then becomes that of the future
     */
    public static <T> ForwardedCall<T> of(CompletionStage<?> call) {
        return new ForwardedCall<>(call);
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
