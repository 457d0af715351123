package dev.semel.messaging;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Key;
import dev.semel.LeaseLostException;
import dev.semel.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** A handler with effects outside the store's database. */
record ExternalHandler<M>(ExternalOperation<Outcome> operation, AsyncMessageHandler<M> handler)
        implements BoundHandler<M> {

    @Override
    public CompletionStage<Execution<Outcome>> run(
            Call call, Executor executor, Turn turn, M message, Consumer<Attempt> check) {
        return operation.runAsync(
                call,
                Runnable::run,
                attempt -> UnprotectedFailure.marked(
                        attempt,
                        turn.comes()
                                .thenComposeAsync(
                                        now -> {
                                            if (attempt.isLeaseLost()) {
                                                throw new LeaseLostException(
                                                        attempt.key().digest(), attempt.token());
                                            }
                                            check.accept(attempt);
                                            return handler.handle(message, attempt);
                                        },
                                        executor)
                                .thenApply(done -> {
                                    turn.over().run();
                                    return HandlerOutcome.DONE;
                                })
                                .exceptionallyCompose(HandlerOutcome::ofFailure)));
    }

    @Override
    public Execution<Outcome> runHere(Call call, M message, Consumer<Attempt> check) throws Exception {
        return operation.run(
                call,
                attempt -> await(UnprotectedFailure.marked(
                        attempt,
                        CompletableFuture.<Void>completedStage(null)
                                .thenCompose(now -> {
                                    check.accept(attempt);
                                    return handler.handle(message, attempt);
                                })
                                .thenApply(done -> HandlerOutcome.DONE)
                                .exceptionallyCompose(HandlerOutcome::ofFailure))));
    }

    @Override
    public CompletionStage<Execution<Outcome>> conclude(Call call, Executor executor, Function<Attempt, Outcome> end) {
        return operation.runAsync(
                call,
                Runnable::run,
                attempt -> UnprotectedFailure.marked(
                        attempt, CompletableFuture.completedStage(attempt).thenApply(end)));
    }

    @Override
    public boolean canRunTogether() {
        return false;
    }

    @Override
    public List<Execution<Outcome>> runTogether(Map<Key, M> messages, List<Call> calls, BooleanSupplier goesOn) {
        return List.of();
    }

    private static Outcome await(CompletionStage<Outcome> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }
}
