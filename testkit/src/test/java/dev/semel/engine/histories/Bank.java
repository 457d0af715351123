package dev.semel.engine.histories;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.ExternalOperation.AsyncWork;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.SemelException;
import dev.semel.engine.histories.Request.Fate;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.history.Effect;
import dev.semel.testkit.history.History.ClientAnswer;
import dev.semel.util.Failures;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Sends requests, runs their operations, and records the answers to clients and the real effects. */
final class Bank {

    /** Stores only the message of an operation's own failure, so that the history recognises it. */
    private static final OutcomeCodec<Outcome> CODEC = new OutcomeCodec<>() {
        @Override
        public Outcome encode(Outcome value) {
            return value;
        }

        @Override
        public Outcome encodeFailure(Throwable failure) {
            return Outcome.failed()
                    .payload(String.valueOf(failure.getMessage()))
                    .build();
        }

        @Override
        public Outcome decode(Outcome outcome) {
            return outcome;
        }
    };

    private final World world;

    Bank(World world) {
        this.world = world;
    }

    /** An operation's own failure. */
    private static final class DeclinedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private DeclinedException(String message) {
            super(message);
        }
    }

    CompletionStage<Execution<Outcome>> send(Request request) {
        world.requests.add(request);
        request.excused = request.node.disturbed;
        world.history.invoke(request.name, request.key, request.intent());
        Release release = request.node.release;
        Call call = Call.builder(request.engineKey(), release.fingerprint(request.body))
                .traceId(request.name)
                .build();
        CompletionStage<Execution<Outcome>> execution;
        try {
            execution = request.node
                    .semel
                    .operation(release.policy(request.kind), CODEC)
                    .runAsync(call, executor(request), wrapped(request));
        } catch (SemelException closed) {
            execution = CompletableFuture.failedStage(closed);
        }
        return execution.whenComplete((told, failure) -> note(request, told, failure));
    }

    /** With a flaw, the operation of a duplicate that waited is never started. */
    private Executor executor(Request request) {
        Executor executor = world.flaw == EngineFlaw.STARTS_LONG_AFTER_THE_LEASE_WAS_CHECKED
                ? GatedExecutor.THREADS
                : request.node.gate;
        return task -> {
            if (world.flaw != EngineFlaw.WAITERS_DO_NOT_RUN || !world.store.wasToldInFlight(request.name)) {
                executor.execute(task);
            }
        };
    }

    private AsyncWork<Outcome> wrapped(Request request) {
        AsyncWork<Outcome> operation = attempt -> run(request, attempt);
        return switch (world.flaw) {
            case HIDES_WHERE_A_FAILURE_CAME_FROM -> attempt -> hiding(operation, attempt);
            case STARTS_LONG_AFTER_THE_LEASE_WAS_CHECKED -> attempt -> late(operation, attempt, request.node.gate);
            default -> operation;
        };
    }

    private static CompletionStage<Outcome> start(AsyncWork<Outcome> operation, Attempt attempt) {
        try {
            return operation.run(attempt);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static CompletionStage<Outcome> late(AsyncWork<Outcome> operation, Attempt attempt, Executor gate) {
        try {
            return CompletableFuture.supplyAsync(() -> start(operation, attempt), gate)
                    .thenCompose(ended -> ended);
        } catch (RejectedExecutionException full) {
            throw new NotExecutedException("no thread was free", full);
        }
    }

    private static CompletionStage<Outcome> hiding(AsyncWork<Outcome> operation, Attempt attempt) {
        return start(operation, attempt).exceptionallyCompose(failure -> {
            Throwable cause = Failures.unwrap(failure);
            boolean own = cause instanceof NotExecutedException || cause instanceof OutcomeUnknownException;
            return CompletableFuture.failedStage(
                    own || SemelException.findIndeterminate(cause) == null
                            ? cause
                            : new IllegalStateException(cause.toString()));
        });
    }

    private CompletionStage<Outcome> run(Request request, Attempt attempt) {
        if (request.node.dead) {
            return new CompletableFuture<>();
        }
        if (request.kind == Release.Kind.ORDER) {
            return order(request, attempt);
        }
        if (request.fate == Fate.NOT_EXECUTED) {
            throw new NotExecutedException("the bank was not reached", null);
        }
        request.attempt = attempt;
        return request.inAStep
                ? attempt.stepAsync("bank", Codec.text(), () -> CompletableFuture.completedStage(ask(request, attempt)))
                        .thenCompose(text -> end(request, text))
                : end(request, ask(request, attempt));
    }

    private String ask(Request request, Attempt attempt) {
        String text = (request.fate == Fate.DECLINED ? "declined " : "receipt of ") + request.name;
        note(request, attempt, Request.receipt(text));
        return text;
    }

    private void note(Request request, Attempt attempt, Outcome outcome) {
        world.ledger.add(new Effect(request.key, request.name, attempt.number(), attempt.token()));
        world.history.ended(request.key, outcome);
        world.done.put(request.key, outcome);
        request.effected = true;
    }

    private CompletionStage<Outcome> end(Request request, String text) {
        return switch (request.fate) {
            case SLOW -> request.slow.thenApply(now -> Request.receipt(text));
            case CANNOT_TELL ->
                CompletableFuture.failedStage(new OutcomeUnknownException("the connection to the bank was lost", null));
            default ->
                text.startsWith("declined")
                        ? CompletableFuture.failedStage(new DeclinedException(text))
                        : CompletableFuture.completedStage(Request.receipt(text));
        };
    }

    /** Charges under a separate key, and passes on the result. */
    private CompletionStage<Outcome> order(Request order, Attempt attempt) {
        order.attempt = attempt;
        Key key = Key.of(order.key.scope(), attempt.childKey("charge"));
        world.history.nested(order.key, key);
        Request charge = new Request(
                order.name + "/" + attempt.number(),
                Release.Kind.CHARGE,
                key,
                order.body,
                order.fate,
                order.inAStep,
                order.node);
        return send(charge).handle((execution, failure) -> {
            if (failure != null) {
                if (Failures.unwrap(failure) instanceof DeclinedException declined) {
                    note(order, attempt, Request.receipt(declined.getMessage()));
                }
                throw new CompletionException(Failures.unwrap(failure));
            }
            Outcome outcome = execution.get();
            note(order, attempt, outcome);
            return outcome;
        });
    }

    private void note(Request request, @Nullable Execution<Outcome> told, @Nullable Throwable failure) {
        if (!request.over.compareAndSet(false, true)) {
            return;
        }
        if (told != null) {
            world.history.ok(request.name, told);
            return;
        }
        Throwable cause = Failures.unwrap(Objects.requireNonNull(failure));
        if (cause instanceof DeclinedException declined) {
            world.history.ok(request.name, ClientAnswer.EXECUTED_UNSETTLED, Request.receipt(declined.getMessage()));
        } else if (request.isStarted()) {
            world.history.unknown(request.name);
        } else if (cause instanceof NotExecutedException) {
            world.history.ok(request.name, ClientAnswer.NOT_APPLIED, null);
        } else if (cause instanceof StoreUnavailableException) {
            world.history.fail(request.name);
        } else {
            world.history.unknown(request.name);
        }
    }
}
