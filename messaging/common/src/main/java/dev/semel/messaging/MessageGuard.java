package dev.semel.messaging;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.LeaseLostException;
import dev.semel.OperationFailedException;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.SemelClosedException;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.store.StoreException;
import dev.semel.util.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs messages under their keys, and returns what to do with each. It does not depend on a broker.
 *
 * <p>A failure means that no message will ever be handled: {@link SemelClosedException}, or a bug.
 */
public final class MessageGuard<M> {

    private static final Duration ANY_TIME = Duration.ofDays(1);

    private final Policy policy;
    private final boolean transactional;
    private final BoundHandler<M> handler;
    private final Executor executor;
    private final RetryMemory tries;
    private final boolean waitsForUnknown;

    private MessageGuard(Builder<M> builder) {
        Executor executor = builder.executor;
        policy = builder.policy;
        transactional = builder.handling.isTransactional();
        handler = builder.handling.bind(builder.semel, policy);
        this.executor = task -> execute(executor, task);
        tries = new RetryMemory(builder.maxAttempts);
        waitsForUnknown = !builder.deadLetterUnknown;
    }

    /** A guard that runs handlers on the caller's thread, and tries each message until its outcome is known. */
    public static <M> Builder<M> builder(Semel semel, Policy policy, Handling<M> handling) {
        return new Builder<>(semel, policy, handling);
    }

    /** Either starts the task or refuses it: an executor that fails may have the task in its queue all the same. */
    private static void execute(Executor executor, Runnable task) {
        AtomicBoolean decided = new AtomicBoolean();
        try {
            executor.execute(() -> {
                if (decided.compareAndSet(false, true)) {
                    task.run();
                }
            });
        } catch (Throwable e) {
            if (decided.compareAndSet(false, true)) {
                throw new HandlerNotStartedException("the executor did not start the handler", e);
            }
        }
    }

    /** Whether a key may be claimed before the turn of its message has come: dying in between must do no harm. */
    public boolean claimsAhead() {
        return !transactional && policy.recovery() == Recovery.RE_EXECUTE;
    }

    /** Runs a message under its key. The handler runs when its turn has come. */
    public CompletionStage<MessageVerdict> offer(Key key, Fingerprint fingerprint, M message, Turn turn) {
        Call call = Call.of(key, fingerprint);
        HandlerChain chain = turn.chain();
        Executor runs = chain == null ? executor : task -> chain.execute(executor, task);
        return offered(call, () -> handler.run(call, runs, turn, message, tries::check));
    }

    /** Whether messages can share a transaction: see {@link #offerTogether}. */
    public boolean sharesTransactions() {
        return handler.canRunTogether();
    }

    /** A message with its key. */
    public record KeyedMessage<M>(Key key, Fingerprint fingerprint, M message) {}

    /**
     * Runs messages under their keys, in their order, in one transaction with one commit. Returns how many of them,
     * from the first on, are now settled or were settled before. The others have left no trace, and you must offer each
     * alone: a message is never tried again, given up or dead because of others in the same transaction.
     *
     * @param goesOn is asked before each message whether to run its handler
     */
    public CompletionStage<Integer> offerTogether(List<KeyedMessage<M>> messages, BooleanSupplier goesOn) {
        Map<Key, M> offered = new HashMap<>();
        List<Call> calls = new ArrayList<>();
        for (KeyedMessage<M> each : messages) {
            // A second message of one key comes after the first one is settled, and finds its outcome.
            if (tries.end(each.key()) != null || offered.putIfAbsent(each.key(), each.message()) != null) {
                break;
            }
            calls.add(Call.of(each.key(), each.fingerprint()));
        }
        if (calls.isEmpty()) {
            return CompletableFuture.completedStage(0);
        }
        try {
            return CompletableFuture.supplyAsync(() -> settledTogether(offered, calls, goesOn), executor);
        } catch (HandlerNotStartedException full) {
            return CompletableFuture.completedStage(0);
        }
    }

    private int settledTogether(Map<Key, M> offered, List<Call> calls, BooleanSupplier goesOn) {
        int settled = handler.runTogether(offered, calls, goesOn).size();
        calls.subList(0, settled).forEach(call -> tries.forget(call.key()));
        return settled;
    }

    /** Runs a message under its key, with the handler on the calling thread. */
    public MessageVerdict offerHere(Key key, Fingerprint fingerprint, M message) {
        Call call = Call.of(key, fingerprint);
        return join(
                offered(call, () -> CompletableFuture.completedStage(handler.runHere(call, message, tries::check))));
    }

    private CompletionStage<MessageVerdict> offered(Call call, Callable<CompletionStage<Execution<Outcome>>> run) {
        RuntimeException end = tries.end(call.key());
        return end != null ? conclude(call, end) : judged(run).thenCompose(verdict -> counted(call, verdict));
    }

    /**
     * Returns what to do with a message that cannot be read here. The state of its key takes precedence. Without one, the
     * message is dead, and nothing is stored: another consumer may be able to read it.
     */
    public CompletionStage<MessageVerdict> unreadable(Key key, Fingerprint fingerprint, MessageRejectedException why) {
        return concluded(Call.of(key, fingerprint), attempt -> {
            if (attempt.number() > 1) {
                return HandlerOutcome.rejected(new MessageRejectedException(
                        why.getMessage() + "; an earlier attempt died, and may have had effects", why));
            }
            throw new UnreadableException(why);
        });
    }

    /** Waits for a verdict on the calling thread. */
    public static MessageVerdict join(CompletionStage<MessageVerdict> verdict) {
        try {
            return verdict.toCompletableFuture().join();
        } catch (RuntimeException e) {
            throw Failures.unwrap(e) instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Gives up a message, or a try, if the verdict requires it. */
    private CompletionStage<MessageVerdict> counted(Call call, MessageVerdict verdict) {
        Key key = call.key();
        if (!(verdict instanceof MessageVerdict.Again again)) {
            tries.forget(key);
            return CompletableFuture.completedStage(verdict);
        }
        RuntimeException end = null;
        if (again.failure() instanceof MessageRejectedException rejected) {
            end = rejected;
        } else if (again.cause() == MessageVerdict.Cause.NOT_EXECUTED) {
            end = tries.refused(key, again.failure());
        } else if (again.cause() == MessageVerdict.Cause.NOT_STORED
                && again.failure() instanceof OutcomeUnknownException e) {
            end = e;
        } else if (again.cause() == MessageVerdict.Cause.CANNOT_TELL && !transactional) {
            tries.excused(key);
        }
        if (end == null) {
            return CompletableFuture.completedStage(verdict);
        }
        tries.end(key, end);
        return conclude(call, end);
    }

    /** Stores that a message is dead, or its outcome unknown. Until that is stored, the message has to come again. */
    private CompletionStage<MessageVerdict> conclude(Call call, RuntimeException end) {
        return concluded(call, attempt -> {
                    if (end instanceof MessageRejectedException) {
                        return HandlerOutcome.rejected(end);
                    }
                    throw end;
                })
                .thenApply(verdict -> {
                    if (verdict instanceof MessageVerdict.Again again && !isKnownToKey(again)) {
                        return new MessageVerdict.Again(MessageVerdict.Cause.NOT_STORED, again.atMost(), end);
                    }
                    tries.forget(call.key());
                    return verdict;
                });
    }

    private static boolean isKnownToKey(MessageVerdict.Again again) {
        return again.cause() == MessageVerdict.Cause.UNKNOWN || again.cause() == MessageVerdict.Cause.CANNOT_TELL;
    }

    private CompletionStage<MessageVerdict> concluded(Call call, Function<Attempt, Outcome> end) {
        return judged(() -> handler.conclude(call, executor, end));
    }

    private CompletionStage<MessageVerdict> judged(Callable<CompletionStage<Execution<Outcome>>> run) {
        CompletionStage<Execution<Outcome>> execution;
        try {
            execution = run.call();
        } catch (Exception e) {
            execution = CompletableFuture.failedStage(e);
        }
        return execution.handle(
                (ended, failure) -> failure == null ? judge(ended) : judge(reported(Failures.unwrap(failure))));
    }

    /**
     * What the handler reported. If an earlier attempt may have had effects, the engine calls the outcome of one that was not
     * executed unknown; but it is a try that counts, and the key keeps what else is known.
     */
    private Throwable reported(Throwable failure) {
        Throwable cause = failure instanceof OutcomeUnknownException ? failure.getCause() : null;
        return cause != null && policy.meansNotExecuted(cause) ? cause : failure;
    }

    private MessageVerdict judge(Execution<Outcome> execution) {
        if (execution instanceof Execution.Executed<Outcome> executed) {
            // One that ran unprotected has no key: offered again, it would run again.
            if (!executed.isStored() && executed.durability() != Execution.Durability.UNPROTECTED) {
                return new MessageVerdict.Again(MessageVerdict.Cause.RAN, policy.lease(), null);
            }
            return executed.outcome().isSuccess() ? new MessageVerdict.Settled(true) : dead(executed.outcome());
        }
        if (execution instanceof Execution.Replayed<Outcome> replayed) {
            return replayed.outcome().isSuccess() ? new MessageVerdict.Settled(false) : dead(replayed.outcome());
        }
        if (execution instanceof Execution.InFlight<Outcome> inFlight) {
            // Stores that cannot see the lease say that nothing is left of it, which does not mean that the key is
            // free.
            Duration left = inFlight.leaseLeft();
            return new MessageVerdict.Again(
                    MessageVerdict.Cause.IN_FLIGHT, left.compareTo(Duration.ZERO) > 0 ? left : policy.lease(), null);
        }
        if (execution instanceof Execution.LeaseLost<Outcome> lost) {
            return new MessageVerdict.Again(MessageVerdict.Cause.IN_FLIGHT, lost.leaseLeft(), null);
        }
        if (execution instanceof Execution.Mismatched<Outcome>) {
            return new MessageVerdict.Dead(
                    MessageVerdict.Reason.MISMATCHED,
                    MessageRejectedException.class.getName(),
                    "the key belongs to a message with another content, or to another operation than "
                            + policy.operation() + "; operations that share keys need a scope each");
        }
        if (execution instanceof Execution.Expired<Outcome>) {
            return new MessageVerdict.Settled(false);
        }
        return unknown(null);
    }

    private MessageVerdict unknown(@Nullable Throwable failure) {
        return waitsForUnknown
                ? new MessageVerdict.Again(MessageVerdict.Cause.UNKNOWN, ANY_TIME, failure)
                : new MessageVerdict.Dead(
                        MessageVerdict.Reason.UNKNOWN,
                        OutcomeUnknownException.class.getName(),
                        "an attempt ended, and its outcome is unknown");
    }

    private MessageVerdict judge(Throwable failure) {
        if (failure instanceof SemelClosedException closed) {
            throw closed;
        }
        if (failure instanceof UnprotectedFailure unprotected) {
            return judgeUnprotected(Failures.unwrap(unprotected.failure()));
        }
        if (failure instanceof UnreadableException unreadable) {
            return unreadable.verdict();
        }
        if (failure instanceof HandlerNotStartedException) {
            return new MessageVerdict.Again(MessageVerdict.Cause.NOT_STARTED, ANY_TIME, failure);
        }
        if (failure instanceof OutcomeUnknownException) {
            return new MessageVerdict.Again(
                    MessageVerdict.Cause.CANNOT_TELL, transactional ? ANY_TIME : Duration.ZERO, failure);
        }
        if (failure instanceof StoreException) {
            return new MessageVerdict.Again(MessageVerdict.Cause.STORE_DOWN, policy.lease(), failure);
        }
        if (failure instanceof LeaseLostException) {
            return new MessageVerdict.Again(MessageVerdict.Cause.IN_FLIGHT, policy.lease(), failure);
        }
        if (policy.meansNotExecuted(failure) || transactional) {
            return new MessageVerdict.Again(MessageVerdict.Cause.NOT_EXECUTED, ANY_TIME, failure);
        }
        // The failure is stored, or about to be: the key says what happened to it, even after a crash right here.
        return new MessageVerdict.Again(MessageVerdict.Cause.RAN, Duration.ZERO, failure);
    }

    /** Nothing is stored of an unprotected run, so its result is all that is known. */
    private MessageVerdict judgeUnprotected(Throwable failure) {
        if (failure instanceof UnreadableException || failure instanceof HandlerNotStartedException) {
            return judge(failure);
        }
        if (failure instanceof OutcomeUnknownException) {
            // Where it must not run again, its key has to say so before anybody else gets the message.
            return policy.recovery() == Recovery.RE_EXECUTE
                    ? new MessageVerdict.Again(MessageVerdict.Cause.CANNOT_TELL, ANY_TIME, failure)
                    : waitsForUnknown
                            ? new MessageVerdict.Again(MessageVerdict.Cause.NOT_STORED, ANY_TIME, failure)
                            : unknown(failure);
        }
        return policy.meansNotExecuted(failure)
                ? new MessageVerdict.Again(MessageVerdict.Cause.NOT_EXECUTED, ANY_TIME, failure)
                : new MessageVerdict.Dead(
                        MessageVerdict.Reason.FAILED,
                        failure.getClass().getName(),
                        String.valueOf(failure.getMessage()));
    }

    private static MessageVerdict dead(Outcome outcome) {
        try {
            OutcomeCodec.text().decode(outcome);
            throw new IllegalStateException("a failed outcome decodes to a value: " + outcome);
        } catch (OperationFailedException e) {
            return new MessageVerdict.Dead(MessageVerdict.Reason.FAILED, e.type(), String.valueOf(e.getMessage()));
        }
    }

    /** Builds a {@link MessageGuard}. */
    public static final class Builder<M> {

        private final Semel semel;
        private final Policy policy;
        private final Handling<M> handling;
        private Executor executor = Runnable::run;
        private int maxAttempts;
        private boolean deadLetterUnknown;

        private Builder(Semel semel, Policy policy, Handling<M> handling) {
            this.semel = semel;
            this.policy = policy;
            this.handling = handling;
        }

        /** The executor for handlers. */
        public Builder<M> executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        /** How often a message is tried before it is dead; 0 for forever. */
        public Builder<M> maxAttempts(int attempts) {
            this.maxAttempts = attempts;
            return this;
        }

        /** Gives up a message whose outcome is unknown, instead of keeping it until its key is resolved. */
        public Builder<M> deadLetterUnknown() {
            this.deadLetterUnknown = true;
            return this;
        }

        public MessageGuard<M> build() {
            return new MessageGuard<>(this);
        }
    }
}
