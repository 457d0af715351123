package dev.semel.messaging;

import dev.semel.AsyncOperation;
import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.LeaseLostException;
import dev.semel.Mode;
import dev.semel.Outcome;
import dev.semel.Policy;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/** A handler of any kind, and how it is run under a key. */
public abstract class Handling<M> {

    private final boolean transactional;

    private Handling(boolean transactional) {
        this.transactional = transactional;
    }

    public static <M> Handling<M> blocking(MessageHandler<M> handler) {
        return async((message, attempt) -> {
            try {
                handler.handle(message, attempt);
                return CompletableFuture.completedStage(null);
            } catch (Exception e) {
                return CompletableFuture.failedStage(e);
            }
        });
    }

    public static <M> Handling<M> async(AsyncMessageHandler<M> handler) {
        return new Handling<>(false) {
            @Override
            CompletionStage<Execution<Outcome>> run(
                    Semel semel, Call<Outcome> call, Executor executor, Turn turn, M message, Consumer<Attempt> check) {
                AsyncOperation<Outcome> operation = attempt -> UnprotectedFailure.marked(
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
                                .exceptionallyCompose(HandlerOutcome::ofFailure));
                return semel.executeAsync(call, Runnable::run, operation);
            }

            @Override
            Execution<Outcome> runHere(Semel semel, Call<Outcome> call, M message, Consumer<Attempt> check)
                    throws Exception {
                return semel.execute(
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
            CompletionStage<Execution<Outcome>> conclude(
                    Semel semel, Call<Outcome> call, Executor executor, Function<Attempt, Outcome> end) {
                return semel.executeAsync(
                        call,
                        Runnable::run,
                        attempt -> UnprotectedFailure.marked(
                                attempt,
                                CompletableFuture.completedStage(attempt).thenApply(end)));
            }
        };
    }

    public static <M, C> Handling<M> in(TransactionRunner<C> transactions, TransactionalMessageHandler<M, C> handler) {
        return new Handling<>(true) {
            @Override
            CompletionStage<Execution<Outcome>> run(
                    Semel semel, Call<Outcome> call, Executor executor, Turn turn, M message, Consumer<Attempt> check) {
                return turn.comes()
                        .thenComposeAsync(now -> stage(() -> runHere(semel, call, message, check)), executor);
            }

            @Override
            Execution<Outcome> runHere(Semel semel, Call<Outcome> call, M message, Consumer<Attempt> check)
                    throws Exception {
                return semel.executeIn(transactions, call, (attempt, transaction) -> {
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
            CompletionStage<Execution<Outcome>> conclude(
                    Semel semel, Call<Outcome> call, Executor executor, Function<Attempt, Outcome> end) {
                return CompletableFuture.<Void>completedStage(null)
                        .thenComposeAsync(
                                now -> stage(() -> semel.executeIn(
                                        transactions, call, (attempt, transaction) -> end.apply(attempt))),
                                executor);
            }
        };
    }

    private interface Blocking {
        Execution<Outcome> run() throws Exception;
    }

    private static CompletionStage<Execution<Outcome>> stage(Blocking work) {
        try {
            return CompletableFuture.completedStage(work.run());
        } catch (Exception e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static Outcome await(CompletionStage<Outcome> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }

    /** Runs the handler under the call's key when its turn has come; a claim may be made before. */
    abstract CompletionStage<Execution<Outcome>> run(
            Semel semel, Call<Outcome> call, Executor executor, Turn turn, M message, Consumer<Attempt> check);

    /** Runs the handler under the call's key, on the calling thread. */
    abstract Execution<Outcome> runHere(Semel semel, Call<Outcome> call, M message, Consumer<Attempt> check)
            throws Exception;

    /** Ends the call's key without the handler, by the same policy: what is known of the key is not overruled. */
    abstract CompletionStage<Execution<Outcome>> conclude(
            Semel semel, Call<Outcome> call, Executor executor, Function<Attempt, Outcome> end);

    boolean isTransactional() {
        return transactional;
    }

    void requireFor(Policy policy) {
        if (transactional == (policy.mode() == Mode.EXTERNAL)) {
            throw new IllegalArgumentException("operation \"" + policy.operation() + "\" has mode " + policy.mode()
                    + ", which is not for a handler " + (transactional ? "in" : "without") + " a transaction; make its"
                    + " policy with Policy." + (transactional ? "transactional" : "external") + "()");
        }
    }
}
