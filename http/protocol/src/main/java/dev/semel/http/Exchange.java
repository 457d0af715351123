package dev.semel.http;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.ExternalOperation.AsyncWork;
import dev.semel.ExternalOperation.Work;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.KeyClaim;
import dev.semel.KeyDigest;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.SemelClosedException;
import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.header.IdempotencyKeyHeader.InvalidKeyException;
import dev.semel.http.header.Prefer;
import dev.semel.http.header.TraceParent;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.shadow.ShadowFinding;
import dev.semel.http.shadow.ShadowedCall;
import dev.semel.http.spool.Spool;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A request with a key in its head, or possibly in its body. Runs once. */
public final class Exchange implements Admission {

    /** Adapters let a body beyond this be read on a thread that may wait. */
    private static final int LARGE = 64 << 10;

    /** A large body takes many times its size while it is read, and a processor reads only one at a time. */
    private static final Semaphore READING = new Semaphore(Runtime.getRuntime().availableProcessors());

    private static final Problem CALLER_UNKNOWN = Problem.of(
            ProblemType.CALLER_UNKNOWN,
            "A key belongs to its caller, and this request has no authenticated caller. Authenticate, and send the request"
                    + " again.");

    private static final Problem SIGNATURE_INVALID = Problem.of(
            ProblemType.SIGNATURE_INVALID,
            "The signature of this request is missing, too old, or not made with a secret that this service knows.");

    private final HttpGate gate;
    private final HttpRules rules;
    private final RequestHead head;
    private final @Nullable String headerKey;
    private final boolean early;
    private final ReplyFactory replies;
    private volatile @Nullable KeyDigest digest;

    /** How the handler has ended; empty if it has not run. */
    private final AtomicReference<@Nullable HandlerEnd> end = new AtomicReference<>();

    Exchange(HttpGate gate, HttpRules rules, RequestHead head, @Nullable String headerKey) {
        this.gate = gate;
        this.rules = rules;
        this.head = head;
        this.headerKey = headerKey;
        this.early = rules.respondAsync() && Prefer.respondAsync(head.headers().lines("Prefer"));
        this.replies = new ReplyFactory(gate, rules, early);
    }

    /**
     * Whether the client gets an answer before the handler runs, if it gets the key: {@link #run} then replies with
     * {@link Reply.Early}, and an adapter must write {@link RequestClaim.Owned#early} first.
     */
    public boolean isAnsweredEarly() {
        return early;
    }

    Answer early(Call call) {
        return replies.early(call);
    }

    /** The digest of the key, for logs; {@code null} until the body is there and the key is known. */
    public @Nullable KeyDigest digest() {
        return digest;
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

    /** The answer to a request from an unknown caller, whose body must not be read; {@code null} for other requests. */
    public @Nullable Answer refusal(@Nullable String scope) {
        return callerOf(scope) == null ? gate.refuse(rules, CALLER_UNKNOWN) : null;
    }

    /**
     * The scope of the key. A signed request needs no other authentication: its signature is verified before the key is
     * looked up.
     *
     * @param scope the authenticated caller; {@code null} if there is none
     */
    public @Nullable String callerOf(@Nullable String scope) {
        if (rules.signatures().isNeeded()) {
            return "signed:" + rules.policy().identity();
        }
        return scope == null || scope.isEmpty() ? null : scope;
    }

    /** The answer to a request whose caller is over its limit; use it before {@link #run}. */
    public Answer overLimit(String detail, long retryAfterSeconds) {
        return gate.refuse(rules, Problem.of(ProblemType.CALLER_OVER_LIMIT, detail))
                .with("Retry-After", Long.toString(retryAfterSeconds));
    }

    /**
     * Claims the key, and runs the handler if this request gets it; otherwise returns the answer. The stage never
     * fails, and may complete on any thread.
     *
     * @param scope the caller; {@code null} if it is unknown
     * @param body the whole body; it is read before this method returns, and the caller closes it
     * @param executor starts the handler
     * @param handler the application behind the gate. If its stage fails, no response was made: the gate answers with a
     *     problem, which is stored unless the failure means that nothing was executed.
     */
    public CompletionStage<Reply> run(
            @Nullable String scope, Spool body, Executor executor, AsyncWork<HandlerResponse> handler) {
        try {
            Call call = duplicatesWait(call(scope, body));
            return early ? runEarly(call, executor, handler) : replies(runAsync(call, executor, handler), call);
        } catch (RefusedException e) {
            return CompletableFuture.completedFuture(e.reply(gate, rules));
        }
    }

    /** Replies when the handler starts: its claim is durable, so the outcome can be requested. */
    private CompletionStage<Reply> runEarly(Call call, Executor executor, AsyncWork<HandlerResponse> handler) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        CompletableFuture<Reply> rest = new CompletableFuture<>();
        CompletionStage<Reply> over = replies(
                runAsync(call, executor, attempt -> {
                    reply.complete(new Reply.Early(early(call), rest));
                    return handler.run(attempt);
                }),
                call);
        over.whenComplete((ended, error) -> {
            if (error == null) {
                reply.complete(ended);
                rest.complete(ended);
            } else {
                reply.completeExceptionally(error);
                rest.completeExceptionally(error);
            }
        });
        return reply;
    }

    /**
     * Claims the key, for an adapter that owns its thread, and waits for the store's answer. An exception means that
     * nothing was claimed and that the rules cannot be applied.
     *
     * @param scope the caller; {@code null} if it is unknown
     * @param body the whole body; it is read before this method returns, and the caller closes it
     */
    public RequestClaim claim(@Nullable String scope, Spool body) {
        try {
            Call call = duplicatesWait(call(scope, body));
            return claim(call, () -> external().claim(call));
        } catch (RefusedException e) {
            return e.reply(gate, rules);
        }
    }

    RequestClaim claim(Call call, Supplier<KeyClaim<HandlerResponse>> claiming) {
        KeyClaim<HandlerResponse> claim;
        try {
            claim = claiming.get();
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            return replies.notClaimed(e, call.key());
        }
        if (claim instanceof KeyClaim.Owned<HandlerResponse> owned) {
            return new RequestClaim.Owned(this, call, owned);
        }
        return claim instanceof KeyClaim.Waiting<HandlerResponse> waiting
                ? new RequestClaim.Waiting(this, call, waiting)
                : instead((Execution<HandlerResponse>) claim, call)
                        .toCompletableFuture()
                        .join();
    }

    /** The answer to a call in which nothing was run. */
    private CompletionStage<Reply.Instead> instead(Execution<HandlerResponse> execution, Call call) {
        Answer answer = replies.answer(execution, call);
        return execution instanceof Execution.Replayed<HandlerResponse>
                ? gate.replayed(rules, head, call.key(), rules.policy().operation(), answer)
                        .thenApply(Reply.Instead::new)
                : CompletableFuture.completedStage(new Reply.Instead(answer));
    }

    /** Gives a key back that has fallen to a request which has waited, and cannot run its handler any more. */
    CompletionStage<Execution<HandlerResponse>> decline(KeyClaim<HandlerResponse> claim) {
        if (!(claim instanceof KeyClaim.Owned<HandlerResponse> owned)) {
            return CompletableFuture.completedStage((Execution<HandlerResponse>) claim);
        }
        Throwable failure = owned.attempt().number() == 1
                ? new NotExecutedException("a request that has waited does not run its handler")
                : new OutcomeUnknownException("an earlier attempt may have had effects", null);
        end.set(HandlerEnd.of(rules.policy(), null, failure));
        owned.fail(failure);
        return owned.execution();
    }

    /** Ends a handler that the adapter runs. */
    boolean end(KeyClaim.Owned<HandlerResponse> owned, HandlerEnd ended, long startedAt) {
        if (!end.compareAndSet(null, ended)) {
            return false;
        }
        observe(startedAt);
        try {
            return owned.complete(ended.outcome());
        } catch (CompletionException e) {
            return owned.fail(e);
        }
    }

    boolean isEnded() {
        return end.get() != null;
    }

    CompletionStage<Reply> replies(CompletionStage<Execution<HandlerResponse>> execution, Call call) {
        return execution
                .handle((done, error) -> error == null
                        ? reply(done, call)
                        : CompletableFuture.completedStage(replies.to(error, end.get(), call.key())))
                .thenCompose(replying -> replying);
    }

    private CompletionStage<Reply> reply(Execution<HandlerResponse> done, Call call) {
        return done instanceof Execution.Executed<HandlerResponse> executed
                ? CompletableFuture.completedStage(replies.own(executed, call.key()))
                : instead(done, call).thenApply(answered -> answered);
    }

    /**
     * Like {@link #run}, for rules with transactions: everything runs on the calling thread, and the outcome is
     * committed together with the handler's writes. An exception of the handler rolls back and is thrown again; a
     * response that was made from an exception goes to the client. In both cases everything was rolled back, nothing is
     * stored, and the same key may try again.
     */
    public Reply runInTransaction(@Nullable String scope, Spool body, Work<HandlerResponse, Exception> handler)
            throws Exception {
        Call call;
        try {
            call = call(scope, body).build();
        } catch (RefusedException e) {
            return e.reply(gate, rules);
        }
        try {
            return reply(
                            Objects.requireNonNull(
                                            rules.boundTo(gate).transactional(), "these rules have no transactions")
                                    .run(call, (attempt, transaction) -> operate(attempt, handler)),
                            call)
                    .toCompletableFuture()
                    .join();
        } catch (Exception e) {
            HandlerEnd ended = end.get();
            if (ended == null) {
                return replies.notClaimed(e, call.key());
            }
            Throwable interruption = ended.interruption();
            if (interruption != null) {
                return replies.rolledBack(interruption, call.key());
            }
            if (e instanceof RolledBackException) {
                return ended.response() == null
                        ? new Reply.Instead(ResponseCodec.failed(rules.dialect()))
                        : new Reply.Own(List.of());
            }
            if (ended.failure() != null) {
                throw e;
            }
            return replies.notCommitted(e, call.key());
        }
    }

    private Call.Builder call(@Nullable String authenticated, Spool body) throws RefusedException {
        String scope = callerOf(authenticated);
        if (scope == null) {
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
        if (rules.signatures().isNeeded()
                && !rules.signatures()
                        .accepts(
                                head.headers()::lines,
                                body.bytes(),
                                gate.clock().instant())) {
            throw new RefusedException(SIGNATURE_INVALID);
        }
        RequestContent content = new RequestContent(head.headers()::lines, body);
        String value = headerKey != null ? headerKey : keyOf(content);
        Key key = gate.namespace().key(Scopes.fit(scope), value);
        Fingerprint fingerprint = RequestFingerprint.of(head, content, rules.fields(), rules.comparesHost());
        digest = key.digest();
        gate.tell(new HttpEvent.Arrived(rules.policy().operation(), key, fingerprint));
        return Call.builder(key, fingerprint)
                .traceId(TraceParent.traceId(head.header("traceparent")))
                .about(gate.about(head));
    }

    private String keyOf(RequestContent content) throws RefusedException {
        KeyReader keys = new KeyReader(rules, head);
        try {
            String value = keys.read(content, gate.clock());
            if (value != null) {
                return value;
            }
        } catch (InvalidKeyException e) {
            throw new RefusedException(KeyReader.problem(e));
        }
        throw new RefusedException(
                keys.places().isEmpty()
                        ? Problem.of(
                                ProblemType.KEY_NOT_DERIVABLE,
                                "The key of this operation is derived from parts of the request, and this request lacks one of"
                                        + " them.")
                        : HttpGate.keyMissing(keys));
    }

    /**
     * The key and fingerprint of this request in shadow mode, and whether it would be refused; {@code null} if that is
     * unknown.
     *
     * @param exact whether this is the body itself, and not a digest of it
     */
    @Nullable
    ShadowedCall shadowed(@Nullable String authenticated, Spool body, boolean exact) {
        KeyReader keys = new KeyReader(rules, head);
        boolean signed = rules.signatures().isNeeded();
        if (!exact && (signed || !keys.isInHead())) {
            return null;
        }
        RequestContent content = new RequestContent(head.headers()::lines, body);
        Fingerprint fingerprint = RequestFingerprint.of(head, content, rules.fields(), rules.comparesHost());
        String caller = callerOf(authenticated);
        String scope = caller == null ? null : Scopes.fit(caller);
        Instant now = gate.clock().instant();
        if (signed && !rules.signatures().accepts(head.headers()::lines, body.bytes(), now)) {
            return new ShadowedCall(null, null, fingerprint, ShadowFinding.SIGNATURE_INVALID);
        }
        String value;
        try {
            value = keys.read(content, gate.clock());
        } catch (InvalidKeyException e) {
            return new ShadowedCall(scope, null, fingerprint, ShadowFinding.KEY_INVALID);
        }
        if (value == null) {
            return new ShadowedCall(scope, null, fingerprint, ShadowFinding.KEY_MISSING);
        }
        if (scope == null) {
            return new ShadowedCall(null, null, fingerprint, ShadowFinding.CALLER_UNKNOWN);
        }
        Key key = gate.namespace().key(scope, value);
        gate.tell(new HttpEvent.Arrived(rules.policy().operation(), key, fingerprint));
        return new ShadowedCall(scope, key.digest(), fingerprint, null);
    }

    private ExternalOperation<HandlerResponse> external() {
        return Objects.requireNonNull(rules.boundTo(gate).external(), "these rules have transactions");
    }

    private Call duplicatesWait(Call.Builder call) {
        return call.duplicates(rules.duplicatesFor(Prefer.wait(head.headers().lines("Prefer"))))
                .build();
    }

    private CompletionStage<Execution<HandlerResponse>> runAsync(
            Call call, Executor executor, AsyncWork<HandlerResponse> handler) {
        try {
            return external().runAsync(call, executor, attempt -> operateAsync(attempt, handler));
        } catch (SemelClosedException | IllegalStateException e) {
            // The engine is closed, or lacks what the policy needs: nothing was claimed.
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletionStage<HandlerResponse> operateAsync(Attempt attempt, AsyncWork<HandlerResponse> handler) {
        long startedAt = System.nanoTime();
        CompletionStage<HandlerResponse> running;
        try {
            running = handler.run(attempt);
        } catch (RuntimeException | Error e) {
            running = CompletableFuture.failedFuture(e);
        }
        return running.handle((made, error) -> {
            HandlerEnd ended = HandlerEnd.of(rules, made, error);
            end.set(ended);
            observe(startedAt);
            return ended.outcome();
        });
    }

    private void observe(long startedAt) {
        gate.durations().observe(rules.policy().operation(), Duration.ofNanos(System.nanoTime() - startedAt));
    }

    private HandlerResponse operate(Attempt attempt, Work<HandlerResponse, Exception> handler) throws Exception {
        long startedAt = System.nanoTime();
        HandlerResponse made;
        try {
            made = handler.run(attempt);
        } catch (Exception | Error e) {
            end.set(HandlerEnd.of(rules.policy(), null, e));
            throw e;
        } finally {
            observe(startedAt);
        }
        HandlerEnd ended = HandlerEnd.of(rules, made, null);
        end.set(ended);
        if (ended.failure() != null || !made.entered()) {
            throw new RolledBackException(ended.failure());
        }
        return made;
    }

    /** Carries the answer to a request that is not run out of its preparation. */
    private static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Problem problem;

        private RefusedException(Problem problem) {
            super(null, null, false, false);
            this.problem = problem;
        }

        private Reply.Instead reply(HttpGate gate, HttpRules rules) {
            return new Reply.Instead(gate.refuse(rules, problem));
        }
    }

    /** Rolls back what belongs to a response that the application has made of an exception. */
    private static final class RolledBackException extends Exception {

        private static final long serialVersionUID = 1L;

        private RolledBackException(@Nullable Throwable cause) {
            super("the application sent the response for it", cause, false, false);
        }
    }
}
