package dev.semel.messaging;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.TransactionalOperation;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** A handler that runs in a transaction of the store's database. */
record HandlerInTransaction<M, C>(
        TransactionalOperation<C, Outcome> operation, TransactionalMessageHandler<M, C> handler)
        implements BoundHandler<M> {

    @Override
    public CompletionStage<Execution<Outcome>> run(
            Call call, Executor executor, Turn turn, M message, Consumer<Attempt> check) {
        return turn.comes().thenComposeAsync(now -> stage(() -> runHere(call, message, check)), executor);
    }

    @Override
    public Execution<Outcome> runHere(Call call, M message, Consumer<Attempt> check) throws Exception {
        return operation.run(call, (attempt, transaction) -> {
            try {
                check.accept(attempt);
                handler.handle(message, attempt, transaction);
                return HandlerOutcome.DONE;
            } catch (Exception e) {
                throw HandlerOutcome.told(e);
            }
        });
    }

    @Override
    public boolean canRunTogether() {
        return operation.canRunTogether();
    }

    @Override
    public List<Execution<Outcome>> runTogether(Map<Key, M> messages, List<Call> calls, BooleanSupplier goesOn) {
        return operation.runTogether(calls, goesOn, (attempt, transaction) -> {
            handler.handle(Objects.requireNonNull(messages.get(attempt.key())), attempt, transaction);
            return HandlerOutcome.DONE;
        });
    }

    @Override
    public CompletionStage<Execution<Outcome>> conclude(Call call, Executor executor, Function<Attempt, Outcome> end) {
        return CompletableFuture.<Void>completedStage(null)
                .thenComposeAsync(
                        now -> stage(() -> operation.run(call, (attempt, transaction) -> end.apply(attempt))),
                        executor);
    }

    private static CompletionStage<Execution<Outcome>> stage(Callable<Execution<Outcome>> work) {
        try {
            return CompletableFuture.completedStage(work.call());
        } catch (Exception e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
