package dev.semel.messaging;

import dev.semel.AsyncOperation;
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

/** A handler of any kind, and how it is run under a key. */
public abstract class Handling<M> {

    private static final Outcome DONE = Outcome.succeeded().build();

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
                    Semel semel, Call<Outcome> call, Executor executor, Turn turn, M message, Limit limit) {
                AsyncOperation<Outcome> operation = attempt -> UnprotectedFailure.marked(
                        attempt,
                        turn.comes()
                                .thenComposeAsync(
                                        now -> {
                                            if (attempt.isLeaseLost()) {
                                                throw new LeaseLostException(
                                                        attempt.key().digest(), attempt.token());
                                            }
                                            limit.check(attempt);
                                            return handler.handle(message, attempt);
                                        },
                                        executor)
                                .thenApply(done -> {
                                    turn.over().run();
                                    return DONE;
                                }));
                return semel.executeAsync(call, Runnable::run, operation);
            }

            @Override
            Execution<Outcome> runHere(Semel semel, Call<Outcome> call, M message, Limit limit) throws Exception {
                return semel.execute(call, attempt -> {
                    limit.check(attempt);
                    await(UnprotectedFailure.marked(attempt, handler.handle(message, attempt)));
                    return DONE;
                });
            }
        };
    }

    public static <M, C> Handling<M> in(TransactionRunner<C> transactions, TransactionalMessageHandler<M, C> handler) {
        return new Handling<>(true) {
            @Override
            CompletionStage<Execution<Outcome>> run(
                    Semel semel, Call<Outcome> call, Executor executor, Turn turn, M message, Limit limit) {
                return turn.comes()
                        .thenComposeAsync(
                                now -> {
                                    try {
                                        return CompletableFuture.completedStage(runHere(semel, call, message, limit));
                                    } catch (Exception e) {
                                        return CompletableFuture.failedStage(e);
                                    }
                                },
                                executor);
            }

            @Override
            Execution<Outcome> runHere(Semel semel, Call<Outcome> call, M message, Limit limit) throws Exception {
                return semel.executeIn(transactions, call, (attempt, transaction) -> {
                    limit.check(attempt);
                    handler.handle(message, attempt, transaction);
                    return DONE;
                });
            }
        };
    }

    private static void await(CompletionStage<?> stage) throws Exception {
        try {
            stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }

    /** Runs the handler under the call's key when its turn has come; a claim may be made before. */
    abstract CompletionStage<Execution<Outcome>> run(
            Semel semel, Call<Outcome> call, Executor executor, Turn turn, M message, Limit limit);

    /** Runs the handler under the call's key, on the calling thread. */
    abstract Execution<Outcome> runHere(Semel semel, Call<Outcome> call, M message, Limit limit) throws Exception;

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
