package dev.semel.engine;

import dev.semel.AsyncOperation;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Mode;
import dev.semel.SemelClosedException;
import dev.semel.TransactionRunner;
import dev.semel.TransactionalOperation;
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

    public <T> CompletionStage<Execution<T>> runAsync(Call<T> call, Executor executor, AsyncOperation<T> operation) {
        return start(new ClaimFirstFlow<>(engine, call, executor, new ExternalBody<>(operation)))
                .minimalCompletionStage();
    }

    /** Runs the operation on the engine's executor. */
    public <T> CompletionStage<Execution<T>> runAsync(Call<T> call, AsyncOperation<T> operation) {
        return runAsync(call, engine.executor, operation);
    }

    /** Runs the operation on the calling thread. */
    public <T> Execution<T> run(Call<T> call, AsyncOperation<T> operation) {
        return blocking(thread -> new ClaimFirstFlow<>(engine, call, thread, new ExternalBody<>(operation)));
    }

    /** Runs the operation on the calling thread in a transaction that carries the settle. */
    public <C, T> Execution<T> runInTransaction(
            TransactionJoining<C> joining,
            TransactionRunner<C> transactions,
            Call<T> call,
            TransactionalOperation<C, T, ?> operation) {
        SettlingTransaction<C, T> work = new SettlingTransaction<>(joining, transactions, operation);
        return blocking(thread -> call.policy().mode() == Mode.SINGLE_TRANSACTION
                ? new SingleTransactionFlow<>(engine, call, thread, work)
                : new ClaimFirstFlow<>(engine, call, thread, new TransactionalBody<>(work)));
    }

    private <T> Execution<T> blocking(Function<CallerThread, Flow<T>> flow) {
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

    public void requireOpen() {
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
