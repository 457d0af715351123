package dev.semel.engine;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.ExternalOperation.AsyncWork;
import dev.semel.SemelClosedException;
import dev.semel.TransactionRunner;
import dev.semel.TransactionalOperation.TransactionalWork;
import dev.semel.policy.Mode;
import dev.semel.spi.TransactionJoining;
import dev.semel.util.CallerThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Runs calls until it is closed, and knows those that are under way. */
public final class CallRunner {

    private final Engine engine;
    private final Set<CompletableFuture<?>> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public CallRunner(Engine engine) {
        this.engine = engine;
    }

    /** Starts the work on the given executor. */
    public <T> CompletionStage<Execution<T>> runAsync(
            OutcomeEncoder<T> operation, Call call, Executor executor, AsyncWork<T> work) {
        requireOpen();
        return start(new ClaimFirstFlow<>(engine, operation, call, executor, new ExternalBody<>(work)))
                .minimalCompletionStage();
    }

    /** Starts the work on the engine's executor. */
    public <T> CompletionStage<Execution<T>> runAsync(OutcomeEncoder<T> operation, Call call, AsyncWork<T> work) {
        return runAsync(operation, call, engine.executor, work);
    }

    /** Starts the work on the calling thread, and waits for its end. */
    public <T> Execution<T> run(OutcomeEncoder<T> operation, Call call, AsyncWork<T> work) {
        return blocking(thread -> new ClaimFirstFlow<>(engine, operation, call, thread, new ExternalBody<>(work)));
    }

    /** Runs the work on the calling thread in a transaction that carries the settle. */
    public <C, T> Execution<T> runInTransaction(
            OutcomeEncoder<T> operation,
            Call call,
            TransactionJoining<C> joining,
            TransactionRunner<C> transactions,
            TransactionalWork<C, T, ?> work) {
        SettlingTransaction<C, T> transaction = new SettlingTransaction<>(joining, transactions, work);
        return blocking(thread -> operation.policy().mode() == Mode.SINGLE_TRANSACTION
                ? new SingleTransactionFlow<>(engine, operation, call, thread, transaction)
                : new ClaimFirstFlow<>(engine, operation, call, thread, new TransactionalBody<>(transaction)));
    }

    private <T> Execution<T> blocking(Function<CallerThread, Flow<T>> flow) {
        requireOpen();
        CallerThread thread = new CallerThread();
        return thread.await(start(flow.apply(thread)));
    }

    private <T> CompletableFuture<Execution<T>> start(Flow<T> flow) {
        CompletableFuture<Execution<T>> execution = flow.attemptOnce().toCompletableFuture();
        running.add(execution);
        execution.whenComplete((done, failure) -> {
            running.remove(execution);
            flow.ended(done, failure);
        });
        return execution;
    }

    private void requireOpen() {
        if (closed) {
            throw new SemelClosedException();
        }
    }

    /** Takes no new calls, and waits up to the grace for operations that run and outcomes that are being stored. */
    public void close() {
        closed = true;
        List<CompletableFuture<?>> unfinished = new ArrayList<>(running);
        engine.keeper.attempts().forEach(attempt -> unfinished.add(attempt.ended()));
        CompletableFuture.allOf(unfinished.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> true)
                .completeOnTimeout(false, engine.settings.shutdownGrace().toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Ends what is still being repeated, when there is no time left to try again. */
    public void giveUp() {
        engine.retry.giveUp();
    }
}
