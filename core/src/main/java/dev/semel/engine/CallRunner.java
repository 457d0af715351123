package dev.semel.engine;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.ExternalOperation.AsyncWork;
import dev.semel.ExternalOperation.Work;
import dev.semel.KeyClaim;
import dev.semel.SemelClosedException;
import dev.semel.TransactionRunner;
import dev.semel.TransactionalOperation.TransactionalWork;
import dev.semel.policy.Mode;
import dev.semel.spi.TransactionJoining;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Runs calls until it is closed. */
public final class CallRunner {

    private final Engine engine;
    private volatile boolean closed;

    public CallRunner(Engine engine) {
        this.engine = engine;
    }

    /** Claims the key on the calling thread, and leaves the rest to the caller. */
    public <T> KeyClaim<T> claim(OutcomeEncoder<T> operation, Call call) {
        KeyClaim<T> claim = begin(new ClaimFirstFlow<>(engine, operation, call)).claim();
        if (claim instanceof OwnedCall<T> owned) {
            owned.tellStarted();
        }
        return claim;
    }

    /** Runs the work on the calling thread. */
    public <T> Execution<T> run(OutcomeEncoder<T> operation, Call call, Work<T, ?> work) {
        KeyClaim<T> claim = begin(new ClaimFirstFlow<>(engine, operation, call)).claimPatiently();
        return claim instanceof OwnedCall<T> owned ? owned.run(work) : (Execution<T>) claim;
    }

    /** Starts the work on the given executor. */
    public <T> CompletionStage<Execution<T>> runAsync(
            OutcomeEncoder<T> operation, Call call, Executor executor, AsyncWork<T> work) {
        Flow<T> flow = begin(new ClaimFirstFlow<>(engine, operation, call));
        flow.claimLater(owned -> owned.start(executor, work));
        return flow.execution.minimalCompletionStage();
    }

    /** Starts the work on the engine's executor. */
    public <T> CompletionStage<Execution<T>> runAsync(OutcomeEncoder<T> operation, Call call, AsyncWork<T> work) {
        return runAsync(operation, call, engine.executor, work);
    }

    /** Runs the work on the calling thread in a transaction that carries the settle. */
    public <C, T> Execution<T> runInTransaction(
            OutcomeEncoder<T> operation,
            Call call,
            TransactionJoining<C> joining,
            TransactionRunner<C> transactions,
            TransactionalWork<C, T, ?> work) {
        SettlingTransaction<C, T> transaction = new SettlingTransaction<>(joining, transactions, work);
        Flow<T> flow = operation.policy().mode() == Mode.SINGLE_TRANSACTION
                ? new SingleTransactionFlow<>(engine, operation, call, transaction)
                : new ClaimFirstFlow<>(engine, operation, call);
        KeyClaim<T> claim = begin(flow).claimPatiently();
        return claim instanceof OwnedCall<T> owned
                ? owned.endWith(() -> transaction.run(flow, owned.attempt()))
                : (Execution<T>) claim;
    }

    /** Runs the work of several calls on the calling thread in one transaction; see TransactionalOperation. */
    public <C, T> List<Execution<T>> runTogether(
            OutcomeEncoder<T> operation,
            List<Call> calls,
            TransactionJoining.Shared<C> store,
            TransactionRunner<C> transactions,
            BooleanSupplier goesOn,
            TransactionalWork<C, T, ?> work) {
        requireOpen();
        List<Flow<T>> flows = new ArrayList<>();
        for (Call call : calls) {
            Flow<T> flow = new ClaimFirstFlow<>(engine, operation, call);
            engine.calls.add(flow);
            flows.add(flow);
        }
        return new SharedTransaction<>(store, transactions, goesOn, work).run(flows);
    }

    private <T> Flow<T> begin(Flow<T> flow) {
        requireOpen();
        engine.calls.add(flow);
        return flow;
    }

    private void requireOpen() {
        if (closed) {
            throw new SemelClosedException();
        }
    }

    /** Takes no new calls, and waits up to the grace for operations that run and outcomes that are being stored. */
    public void close() {
        closed = true;
        CompletableFuture<?>[] unfinished = Stream.concat(
                        engine.calls.stream().map(call -> call.execution),
                        engine.attempts.keeper.attempts().stream().map(attempt -> attempt.ended()))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(unfinished)
                .handle((done, failure) -> true)
                .completeOnTimeout(false, engine.settings.shutdownGrace().toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Ends all calls that are still being repeated, when there is no time left to try again. */
    public void giveUp() {
        engine.retry.giveUp();
    }
}
