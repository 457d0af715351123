package dev.semel.http;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.SemelClosedException;
import dev.semel.SemelException;
import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.header.Expiry;
import dev.semel.http.header.Prefer;
import dev.semel.http.header.TraceParent;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.replay.StatusResource;
import dev.semel.http.spool.Spool;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request that has a key, or will have one when its body is known. Runs once. */
public final class Exchange implements Admission {

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    /** Adapters let a body beyond this be read on a thread that may wait. */
    private static final int LARGE = 64 << 10;

    /** A large body takes many times its size while it is read, and a processor reads only one at a time. */
    private static final Semaphore READING = new Semaphore(Runtime.getRuntime().availableProcessors());

    private static final Problem CALLER_UNKNOWN = Problem.of(
            ProblemType.CALLER_UNKNOWN,
            "A key belongs to its caller, and this request has no authenticated one. Authenticate, and send the request"
                    + " again.");

    private final HttpGate gate;
    private final HttpRules rules;
    private final RequestHead head;
    private final @Nullable String headerKey;
    private final ResponseCodec codec;

    private volatile @Nullable HandlerResponse response;
    private volatile @Nullable Throwable failure;

    Exchange(HttpGate gate, HttpRules rules, RequestHead head, @Nullable String headerKey) {
        this.gate = gate;
        this.rules = rules;
        this.head = head;
        this.headerKey = headerKey;
        this.codec = new ResponseCodec(rules.replayHeaders(), gate.replays());
    }

    public HttpRules rules() {
        return rules;
    }

    /** The answer to a request whose body is over {@link HttpRules#maxRequestBody}. */
    public Answer tooLarge() {
        return gate.refuse(
                rules,
                Problem.of(
                        ProblemType.REQUEST_TOO_LARGE,
                        "The request body is larger than the " + rules.maxRequestBody() + " bytes that this operation"
                                + " accepts."));
    }

    /** The answer to a request whose body does not arrive in time. */
    public Answer tooSlow() {
        return gate.refuse(
                rules, Problem.of(ProblemType.REQUEST_TIMED_OUT, "The rest of the request did not arrive in time."));
    }

    /** The answer to a request whose caller is not known, and whose body is not to be read; {@code null} for others. */
    public @Nullable Answer refusal(@Nullable String scope) {
        return scope == null || scope.isEmpty() ? gate.refuse(rules, CALLER_UNKNOWN) : null;
    }

    /** The answer to a request whose caller takes more than it may; to be given before {@link #run}. */
    public Answer overLimit(String detail, long retryAfterSeconds) {
        return gate.refuse(rules, Problem.of(ProblemType.CALLER_OVER_LIMIT, detail))
                .with("Retry-After", Long.toString(retryAfterSeconds));
    }

    /**
     * Claims the key and runs the handler if the key is this request's own; otherwise says what to answer instead. The
     * stage never fails, and may complete on any thread.
     *
     * @param scope the caller; {@code null} for one that is not known
     * @param body the whole body; it is read before this method returns, and remains the caller's to close
     * @param executor where the handler is started
     */
    public CompletionStage<Reply> run(@Nullable String scope, Spool body, Executor executor, HttpHandler handler) {
        try {
            Call call = call(scope, body)
                    .duplicates(rules.duplicatesFor(Prefer.wait(head.headers().lines("Prefer"))))
                    .onWait(handler::waiting)
                    .runsAfterWaiting(handler.runsAfterWaiting())
                    .build();
            return execute(call, executor, handler)
                    .handle((execution, error) -> error == null ? reply(execution, call) : replyTo(error, call.key()));
        } catch (RefusedException e) {
            return CompletableFuture.completedFuture(new Reply.Instead(gate.refuse(rules, e.problem)));
        }
    }

    /**
     * Like {@link #run}, for rules with transactions: all on the calling thread, and the outcome is committed together
     * with what the handler does. What the handler throws is thrown again; a response that was made of an exception is
     * the client's. In both cases everything was rolled back, nothing is stored, and the same key may try again.
     */
    public Reply runInTransaction(@Nullable String scope, Spool body, TransactionalHandler handler) throws Exception {
        Call call;
        try {
            call = call(scope, body).build();
        } catch (RefusedException e) {
            return new Reply.Instead(gate.refuse(rules, e.problem));
        }
        try {
            return reply(
                    gate.semel()
                            .operation(
                                    (TransactionalPolicy) rules.policy(),
                                    codec,
                                    Objects.requireNonNull(rules.transactions()))
                            .run(call, (attempt, transaction) -> operate(attempt, handler)),
                    call);
        } catch (Exception e) {
            SemelException interruption = interruption();
            if (interruption != null) {
                return rolledBack(interruption, call.key());
            }
            if (e instanceof RolledBackException) {
                return response == null || response.isUnanswered()
                        ? new Reply.Instead(ResponseCodec.failed())
                        : new Reply.Own(List.of());
            }
            if (failure != null) {
                throw e;
            }
            return response == null ? replyTo(e, call.key()) : notCommitted(e, call.key());
        }
    }

    private Call.Builder call(@Nullable String scope, Spool body) throws RefusedException {
        if (scope == null || scope.isEmpty()) {
            throw new RefusedException(CALLER_UNKNOWN);
        }
        if (body.size() <= LARGE) {
            return callOf(scope, body);
        }
        READING.acquireUninterruptibly();
        try {
            return callOf(scope, body);
        } finally {
            READING.release();
        }
    }

    private Call.Builder callOf(String scope, Spool body) throws RefusedException {
        RequestContent content = new RequestContent(head.headers()::lines, body);
        String value = headerKey != null
                ? headerKey
                : DerivedKey.of(rules.keySource(), rules.policy().identity(), head, content);
        if (value == null) {
            throw new RefusedException(Problem.of(
                    ProblemType.KEY_NOT_DERIVABLE,
                    "The key of this operation is made of parts of the request, and this request lacks one of them."));
        }
        Key key = gate.namespace().key(Scopes.fit(scope), value);
        Fingerprint fingerprint = RequestFingerprint.of(head, content, rules.fields(), rules.comparesHost());
        gate.tell(new HttpEvent.Arrived(rules.policy().operation(), key, fingerprint));
        return Call.builder(key, fingerprint).traceId(TraceParent.traceId(head.header("traceparent")));
    }

    private CompletionStage<Execution<HandlerResponse>> execute(Call call, Executor executor, HttpHandler handler) {
        try {
            return gate.semel()
                    .operation((ExternalPolicy) rules.policy(), codec)
                    .runAsync(call, executor, attempt -> operate(attempt, handler));
        } catch (SemelClosedException | IllegalStateException e) {
            // The engine is closed, or lacks what the policy needs: nothing was claimed.
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletionStage<HandlerResponse> operate(Attempt attempt, HttpHandler handler) {
        long started = System.nanoTime();
        CompletionStage<HandlerResponse> running;
        try {
            running = handler.handle(attempt);
        } catch (RuntimeException | Error e) {
            running = CompletableFuture.failedFuture(e);
        }
        return running.handle((made, error) -> {
            gate.durations().observe(rules.policy().operation(), Duration.ofNanos(System.nanoTime() - started));
            if (error != null) {
                Throwable cause = unwrap(error);
                failure = cause;
                throw new CompletionException(interruption() == null ? cause : cannotTell(cause));
            }
            Throwable rendered = made.failure();
            failure = rendered;
            if (rendered != null && made.isUnanswered()) {
                throw new CompletionException(interruption() == null ? rendered : cannotTell(rendered));
            }
            response = made;
            if (!made.entered()) {
                throw new CompletionException(
                        new NotExecutedException("it was refused before its handler was entered", rendered));
            }
            if (rendered != null && rules.policy().meansNotExecuted(rendered)) {
                throw new CompletionException(new NotExecutedException("the application answered for it", rendered));
            }
            if (rendered != null && SemelException.findIndeterminate(rendered) != null) {
                throw new CompletionException(cannotTell(rendered));
            }
            return made;
        });
    }

    private static OutcomeUnknownException cannotTell(Throwable cause) {
        return cause instanceof OutcomeUnknownException own
                ? own
                : new OutcomeUnknownException("the operation was interrupted by a failure that is not its own", cause);
    }

    /**
     * The failure of Semel itself that the handler ended with, whatever the application has made of it; {@code null} if
     * the handler ended otherwise, or says itself what it did.
     */
    private @Nullable SemelException interruption() {
        Throwable ended = failure;
        return ended == null
                        || ended instanceof OutcomeUnknownException
                        || rules.policy().meansNotExecuted(ended)
                ? null
                : SemelException.findIndeterminate(ended);
    }

    private HandlerResponse operate(Attempt attempt, TransactionalHandler handler) throws Exception {
        long started = System.nanoTime();
        try {
            response = handler.handle(attempt);
        } catch (Exception | Error e) {
            failure = e;
            throw e;
        } finally {
            gate.durations().observe(rules.policy().operation(), Duration.ofNanos(System.nanoTime() - started));
        }
        HandlerResponse made = Objects.requireNonNull(response);
        failure = made.failure();
        if (failure != null || !made.entered()) {
            throw new RolledBackException(failure);
        }
        return made;
    }

    private Reply notCommitted(Exception cause, Key key) {
        LOG.warn(
                "the transaction of operation {} was not committed",
                rules.policy().operation(),
                cause);
        return again(
                key,
                1,
                ProblemType.STORE_UNAVAILABLE,
                "What this request did could not be committed. Send it again with the same key.");
    }

    private Reply reply(Execution<HandlerResponse> execution, Call call) {
        if (execution instanceof Execution.Executed<HandlerResponse> executed) {
            return new Reply.Own(expiry(executed));
        }
        return new Reply.Instead(answer(execution, call));
    }

    private Answer answer(Execution<HandlerResponse> execution, Call call) {
        if (execution instanceof Execution.Replayed<HandlerResponse> replayed) {
            Answer answer = gate.replays().answer(replayed.outcome());
            return rules.publishExpiry() ? answer.with(Expiry.HEADER, Expiry.format(replayed.expiresAt())) : answer;
        }
        if (execution instanceof Execution.InFlight<HandlerResponse> inFlight) {
            return inFlight(inFlight.age(), inFlight.leaseLeft(), call.key());
        }
        if (execution instanceof Execution.LeaseLost<HandlerResponse> lost) {
            return inFlight(lost.age(), lost.leaseLeft(), call.key());
        }
        if (execution instanceof Execution.Mismatched<HandlerResponse>) {
            gate.tell(new HttpEvent.KeyReused(rules.policy().operation(), call.key()));
            return problem(
                    ProblemType.KEY_REUSED,
                    "This key was used for another request. Use a new key for a new operation; send a retry exactly as"
                            + " the first request was sent.");
        }
        if (execution instanceof Execution.Unknown<HandlerResponse>) {
            return problem(
                    ProblemType.OUTCOME_UNKNOWN,
                    "An earlier attempt was interrupted, and it is not known what it did. It is not run again; ask"
                            + " later with the same key, or contact the operator of this service.");
        }
        return problem(
                ProblemType.KEY_EXPIRED,
                "This key was used before and has expired. Its operation is not run again under it.");
    }

    private Answer inFlight(Duration age, Duration leaseLeft, Key key) {
        long seconds = gate.durations().retryAfter(rules.policy().operation(), age, leaseLeft);
        tellToRetry(key, seconds);
        StatusResource status = gate.statusResource();
        if (status != null && rules.policy().duplicates() instanceof Duplicates.Accepted) {
            return status.accepted(key, seconds);
        }
        return problem(
                        ProblemType.IN_FLIGHT,
                        "The operation that this key names is being run. Ask again with the same key for its outcome.")
                .with("Retry-After", Long.toString(seconds));
    }

    private void tellToRetry(Key key, long seconds) {
        gate.tell(new HttpEvent.ToldToRetry(rules.policy().operation(), key, Duration.ofSeconds(seconds)));
    }

    private Reply replyTo(Throwable error, Key key) {
        SemelException interruption = interruption();
        if (response != null && interruption == null) {
            // The handler has answered: whatever became of its key, this is the truth.
            return new Reply.Own(List.of());
        }
        Throwable thrown = failure;
        if (thrown == null) {
            LOG.warn(
                    "{} of operation {} refused because its key could not be claimed",
                    head.method(),
                    rules.policy().operation(),
                    unwrap(error));
            return again(
                    key,
                    1,
                    ProblemType.STORE_UNAVAILABLE,
                    "Whether this request was made before cannot be found out at the moment, so it was not run. Send it"
                            + " again with the same key.");
        }
        if (rules.policy().meansNotExecuted(thrown)) {
            return again(
                    key,
                    1,
                    ProblemType.NOT_EXECUTED,
                    "The operation was not executed and has had no effect. Send it again with the same key.");
        }
        if (interruption != null || thrown instanceof OutcomeUnknownException) {
            return interrupted(thrown, key);
        }
        LOG.error("the handler of operation {} failed", rules.policy().operation(), thrown);
        return new Reply.Instead(ResponseCodec.failed());
    }

    /** The answer to the caller of an attempt that cannot tell what it did. */
    private Reply interrupted(Throwable cause, Key key) {
        Policy policy = rules.policy();
        LOG.warn("the handler of operation {} cannot tell what it did", policy.operation(), cause);
        long lapse = Math.max(1, policy.lease().plusMillis(999).toSeconds());
        if (isStoreDown(SemelException.findIndeterminate(cause))) {
            return again(
                    key,
                    policy.recovery() == Recovery.HOLD ? 1 : lapse,
                    ProblemType.STORE_UNAVAILABLE,
                    "The operation was interrupted because its record could not be kept, and it is not known what it"
                            + " did. Ask again with the same key.");
        }
        if (policy.recovery() == Recovery.HOLD) {
            return new Reply.Instead(problem(
                    ProblemType.OUTCOME_UNKNOWN,
                    "The operation was interrupted, and it is not known what it did. Ask later with the same key."));
        }
        return again(
                key,
                lapse,
                ProblemType.IN_FLIGHT,
                "The operation was interrupted, and is recovered when its lease has run out. Ask again with the same"
                        + " key for its outcome.");
    }

    /** The same where everything that the handler did was undone. */
    private Reply rolledBack(SemelException cause, Key key) {
        LOG.warn("operation {} was interrupted and rolled back", rules.policy().operation(), cause);
        return again(
                key,
                1,
                isStoreDown(cause) ? ProblemType.STORE_UNAVAILABLE : ProblemType.NOT_EXECUTED,
                "The operation was interrupted, and what it did was rolled back. Send it again with the same key.");
    }

    private static boolean isStoreDown(@Nullable SemelException cause) {
        return cause instanceof StoreException || cause instanceof SemelClosedException;
    }

    private Reply again(Key key, long seconds, ProblemType type, String detail) {
        tellToRetry(key, seconds);
        return new Reply.Instead(problem(type, detail).with("Retry-After", Long.toString(seconds)));
    }

    private Answer problem(ProblemType type, String detail) {
        return gate.documented(rules, Problem.of(type, detail).answer());
    }

    private List<Header> expiry(Execution.Executed<HandlerResponse> executed) {
        if (!rules.publishExpiry() || !executed.isStored()) {
            return List.of();
        }
        Duration active = rules.policy().retentionOf(executed.outcome()).active();
        return List.of(
                new Header(Expiry.HEADER, Expiry.format(gate.clock().instant().plus(active))));
    }

    /** Carries the answer to a request that is not run out of its preparation. */
    private static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Problem problem;

        private RefusedException(Problem problem) {
            super(null, null, false, false);
            this.problem = problem;
        }
    }

    /** Rolls back what belongs to a response that the application has made of an exception. */
    private static final class RolledBackException extends Exception {

        private static final long serialVersionUID = 1L;

        private RolledBackException(@Nullable Throwable cause) {
            super("the application answered for it", cause, false, false);
        }
    }

    private static Throwable unwrap(Throwable error) {
        Throwable cause = error;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
