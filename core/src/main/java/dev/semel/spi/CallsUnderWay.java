package dev.semel.spi;

import dev.semel.store.StoreException;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Counts the running calls of a store, so that closing it can wait for them. Their failures become those of
 * a store.
 */
public final class CallsUnderWay {

    private static final long CLOSED = 1L << 62;

    private final String store;
    private final Function<Throwable, StoreException> failures;
    private final AtomicLong calls = new AtomicLong();
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /**
     * @param store the name of the store in the message for a call that comes too late
     * @param failures converts the failure of a call to one of the store
     */
    public CallsUnderWay(String store, Function<Throwable, StoreException> failures) {
        this.store = store;
        this.failures = failures;
    }

    /** Begins a call, and counts it until it is answered. */
    public <T> CompletionStage<T> track(Supplier<CompletionStage<T>> call) {
        if ((calls.getAndIncrement() & CLOSED) != 0) {
            end();
            return CompletableFuture.failedFuture(new StoreException(store + " was closed", null));
        }
        CompletionStage<T> begun = Failures.inStage(call);
        CompletableFuture<T> answer = ForwardedCall.of(begun);
        begun.whenComplete((result, failure) -> {
            // Counted before its callbacks run: a callback may close the store, and would wait for itself.
            end();
            if (failure != null) {
                answer.completeExceptionally(failures.apply(failure));
            } else {
                answer.complete(result);
            }
        });
        return answer;
    }

    private void end() {
        if (calls.decrementAndGet() == CLOSED) {
            done.complete(null);
        }
    }

    /** Accepts no more calls, and waits for the running ones, at most this long. */
    public void close(Duration limit) {
        long before = calls.getAndUpdate(count -> count | CLOSED);
        if (before == 0) {
            done.complete(null);
        }
        try {
            done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // What has not been answered by now fails when its connection is closed.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
