package dev.semel.servlet;

import dev.semel.Attempt;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.Exchange;
import dev.semel.http.HandlerEntry;
import dev.semel.http.HandlerResponse;
import dev.semel.http.HttpHandler;
import dev.semel.http.Reply;
import dev.semel.http.spool.Spool;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A guarded request on its way through the container, over all its dispatches.
 *
 * <p>Between the engine and the container stand three futures: {@code turn} is what the engine wants to be run next on the request's thread,
 * {@code handled} what the handler answered, {@code reply} what the client gets. The handler runs in the dispatch that
 * the container chose its filters for, never in another one: filters that stand between this one and the handler may be
 * mapped to that dispatch alone, and must not be skipped.
 */
final class ServletExchange implements HttpHandler {

    static final String EXCHANGE = "dev.semel.servlet.exchange";
    static final String ATTEMPT = "dev.semel.attempt";
    static final String ENTRY = "dev.semel.servlet.entry";

    private static final long ERROR_DISPATCH_SECONDS = 2;
    private static final Logger LOG = LoggerFactory.getLogger(ServletExchange.class);

    private enum Stage {
        CLAIMING,
        /** The thread was given back, and with it the way to the handler. */
        WAITING,
        HANDLING,
        /** An error waits for a dispatch of its own, in which the container can be given it. */
        ERROR,
        /** The container has the error, and makes an error dispatch of it if it has a page for it. */
        ERROR_RAISED
    }

    private final Exchange exchange;
    private final ErrorRendering errors;
    private final FailureAttributes failures;
    private final HandlerEntry entry;
    private final Spool body;
    private final boolean bodySpooled;
    private final Capture capture;
    private final CompletableFuture<Void> waiting = new CompletableFuture<>();
    private volatile CompletableFuture<Runnable> turn = new CompletableFuture<>();
    private final CompletableFuture<HandlerResponse> handled = new CompletableFuture<>();
    private CompletableFuture<Reply> reply = new CompletableFuture<>();
    private volatile Stage stage = Stage.CLAIMING;
    private volatile boolean givesThreadBack;
    private volatile boolean requestEnded;
    private volatile @Nullable OutcomeUnknownException timeOut;
    private volatile @Nullable Attempt attempt;
    private volatile @Nullable HeldAsyncContext held;
    private volatile @Nullable Throwable thrown;

    ServletExchange(
            Exchange exchange,
            ErrorRendering errors,
            FailureAttributes failures,
            HandlerEntry entry,
            Spool body,
            boolean bodySpooled) {
        this.exchange = exchange;
        this.errors = errors;
        this.failures = failures;
        this.entry = entry;
        this.body = body;
        this.bodySpooled = bodySpooled;
        this.capture = Capture.streaming(exchange.rules().policy().maxPayload());
    }

    /** In the request's first dispatch. */
    void begin(@Nullable String scope, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        givesThreadBack = request.isAsyncSupported();
        try {
            reply = exchange.run(scope, body, this::takeTurn, this).toCompletableFuture();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
        // Not before there is a reply to come: an error dispatch would wait for it.
        request.setAttribute(EXCHANGE, this);
        CompletableFuture.anyOf(turn, reply, waiting).join();
        if (!turn.isDone() && !reply.isDone() && givesThreadBack) {
            giveThreadBack(request, response);
            return;
        }
        // An attempt whose lease may have lapsed by now has it confirmed first, and takes another turn for its handler.
        while (attempt == null) {
            CompletableFuture.anyOf(turn, reply).join();
            if (!turn.isDone()) {
                finish(response);
                return;
            }
            runTurn(turn.join());
        }
        stage = Stage.HANDLING;
        request.setAttribute(ATTEMPT, attempt);
        run(request, response, chain);
    }

    private void takeTurn(Runnable task) {
        if (!turn.complete(task)) {
            throw new RejectedExecutionException("the request's thread has a task already");
        }
    }

    private void runTurn(Runnable task) {
        turn = new CompletableFuture<>();
        task.run();
    }

    @Override
    public CompletionStage<HandlerResponse> handle(Attempt attempt) {
        this.attempt = attempt;
        return handled;
    }

    @Override
    public void waiting() {
        waiting.complete(null);
    }

    @Override
    public boolean runsAfterWaiting() {
        return !givesThreadBack;
    }

    private void giveThreadBack(HttpServletRequest request, HttpServletResponse response) {
        stage = Stage.WAITING;
        AsyncContext async = startAsync(request, response);
        async.setTimeout(0);
        turn.thenAccept(this::decline);
        reply.whenComplete((done, never) -> dispatch(async));
    }

    /** A key that falls to a request that waits is given back: the way to the handler is gone. */
    private void decline(Runnable task) {
        runTurn(task);
        Attempt given = attempt;
        if (given == null) {
            turn.thenAccept(this::decline);
            return;
        }
        boolean first = given.number() == 1;
        handled.completeExceptionally(
                first
                        ? new NotExecutedException("a request that has waited does not run its handler", null)
                        : new OutcomeUnknownException("an earlier attempt may have had effects", null));
    }

    /** In every later dispatch. */
    void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        DispatcherType dispatch = request.getDispatcherType();
        if (dispatch == DispatcherType.ERROR && !handled.isDone()) {
            renderError(request, response, chain);
        } else if (dispatch != DispatcherType.ASYNC) {
            chain.doFilter(request, response);
        } else if (stage == Stage.ERROR) {
            raise(response);
        } else if (stage == Stage.HANDLING && !handled.isDone()) {
            run(request, response, chain);
        } else {
            finish(response);
        }
    }

    private void run(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Throwable failure = null;
        try {
            chain(request, response, chain);
        } catch (Throwable e) {
            failure = e;
        }
        HttpServletRequest outer = Wrappers.outside(request);
        if (!outer.isAsyncStarted()) {
            if (conclude(failure, request, outer.isAsyncSupported())) {
                finish(response);
            } else {
                dispatch(startAsync(outer, Wrappers.outside(response)));
            }
        } else if (failure != null && Objects.requireNonNull(held).end()) {
            completed(failure, outer.getAsyncContext(), request);
        }
    }

    /** Goes on with what is already captured, or captures it from here. */
    private void chain(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (Wrappers.find(response, CapturedResponse.class) != null) {
            chain.doFilter(request, response);
            return;
        }
        capture.attach(response);
        CapturedResponse captured = new CapturedResponse(
                response, capture, task -> request.getAsyncContext().start(task));
        chain.doFilter(new BufferedRequest(request, this, captured, body, bodySpooled), captured);
    }

    /** Takes the handler's answer; {@code false} if it is an error that the container renders. */
    private boolean conclude(@Nullable Throwable failure, ServletRequest request, boolean canRaise) {
        if (errors == ErrorRendering.CONTAINER
                && canRaise
                && timeOut == null
                && !capture.isStreaming()
                && (failure != null || capture.error() != null)) {
            thrown = failure;
            stage = Stage.ERROR;
            return false;
        }
        if (failure != null) {
            threw(failure);
            return true;
        }
        if (capture.error() != null) {
            capture.renderProblem();
        }
        answered(capture.toResponse(failureOf(request)));
        return true;
    }

    /** Whatever is answered to the container's time-out, the work may go on: it is not the outcome. */
    private boolean answered(HandlerResponse response) {
        OutcomeUnknownException late = timeOut;
        return late == null ? handled.complete(entry.seen(response)) : handled.completeExceptionally(late);
    }

    private void threw(Throwable failure) {
        OutcomeUnknownException late = timeOut;
        handled.completeExceptionally(late == null ? entry.seen(Failures.rootOf(failure)) : late);
    }

    private void raise(HttpServletResponse response) throws IOException, ServletException {
        stage = Stage.ERROR_RAISED;
        HttpServletResponse outer = Wrappers.outside(response);
        capture.attach(outer);
        Capture.SentError error = capture.error();
        if (thrown != null || error == null) {
            throw Failures.<ServletException>sneaky(Objects.requireNonNull(thrown));
        }
        if (error.message() == null) {
            outer.sendError(error.status());
        } else {
            outer.sendError(error.status(), error.message());
        }
    }

    private void renderError(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        capture.beginErrorPage(response);
        try {
            chain(request, response, chain);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            threw(e);
            closeAfterReply();
            throw e;
        }
        answered(capture.toResponse(thrown == null ? failureOf(request) : Failures.rootOf(thrown)));
        finish(response);
    }

    private void finish(HttpServletResponse response) throws IOException {
        HttpServletResponse outer = Wrappers.outside(response);
        try {
            Reply decided = reply.join();
            if (decided instanceof Reply.Own own) {
                capture.commit(outer, own.extra());
            } else if (decided instanceof Reply.Instead instead && !capture.isStreaming()) {
                Answers.write(instead.answer(), outer);
            } else {
                throw new IOException("the handler failed after a part of its response was sent");
            }
        } finally {
            close();
        }
    }

    private void close() {
        body.close();
        capture.close();
        HeldAsyncContext context = held;
        if (context != null) {
            context.tellComplete();
        }
    }

    private AsyncContext startAsync(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext async = request.startAsync(request, response);
        async.addListener(new EndListener(this));
        return async;
    }

    /** The handler has made its request asynchronous. */
    AsyncContext startAsync(AsyncContext async, ServletRequest request, ServletResponse response, boolean original) {
        HeldAsyncContext next = new HeldAsyncContext(this, async, request, response, original, !entry.goesOn());
        HeldAsyncContext previous = held;
        held = next;
        async.addListener(next);
        if (previous != null) {
            previous.replacedBy(next);
        }
        if (entry.streams()) {
            endInTime(next);
        }
        return next;
    }

    /** The container has no time limit for a stream, and none for any request whose client has left. */
    private void endInTime(HeldAsyncContext stream) {
        handled.handle((response, failure) -> true)
                .completeOnTimeout(false, exchange.rules().policy().lease().toMillis(), TimeUnit.MILLISECONDS)
                .thenAcceptAsync(ended -> {
                    if (!ended) {
                        stream.timeOut(null);
                    }
                });
    }

    @Nullable
    AsyncContext asyncContext() {
        return held;
    }

    /** The asynchronous handler has ended, normally or not. */
    void completed(@Nullable Throwable failure, AsyncContext async, ServletRequest request) {
        if (conclude(failure, request, true)) {
            reply.whenComplete((done, never) -> dispatch(async));
        } else {
            dispatch(async);
        }
    }

    /** The asynchronous handler wants to go on in another dispatch. */
    void redispatch(Runnable dispatch) {
        try {
            dispatch.run();
        } catch (IllegalStateException e) {
            if (!requestEnded) {
                throw e;
            }
            handled.completeExceptionally(new OutcomeUnknownException("the client left before a response was made", e));
        }
    }

    /** The time is over. The handler may still answer, but not with what its operation did. */
    void timingOut() {
        timeOut = new OutcomeUnknownException("the handler did not complete its asynchronous request in time", null);
    }

    /** The handler has not answered to the time-out. */
    void timedOut(AsyncContext async) {
        handled.completeExceptionally(Objects.requireNonNull(timeOut));
        dispatch(async);
    }

    /** The container has ended the request, with or without an answer of ours. */
    void requestEnded() {
        requestEnded = true;
        if (!handled.isDone() && (stage == Stage.ERROR || stage == Stage.ERROR_RAISED)) {
            concludeUnseen();
            return;
        }
        capture.detach();
        closeAfterReply();
    }

    /** For a request that no dispatch finishes any more. */
    private void closeAfterReply() {
        reply.whenComplete((done, never) -> close());
    }

    /**
     * Whoever was given the error may have answered it by itself. It may also be about to make an error dispatch: some
     * containers say that a request has ended before they do.
     */
    private void concludeUnseen() {
        if (stage == Stage.ERROR) {
            // The container was not given the error, and has nothing to say of it.
            capture.detach();
        }
        HandlerResponse unseen = capture.unseen(thrown == null ? null : Failures.rootOf(thrown));
        CompletableFuture.delayedExecutor(ERROR_DISPATCH_SECONDS, TimeUnit.SECONDS)
                .execute(() -> {
                    if (answered(unseen)) {
                        LOG.debug("an error was answered with status {} outside of this filter", unseen.status());
                        closeAfterReply();
                    }
                });
    }

    private void dispatch(AsyncContext async) {
        try {
            async.dispatch();
        } catch (IllegalStateException e) {
            LOG.debug("the client left before its answer was known", e);
            if (stage == Stage.ERROR) {
                concludeUnseen();
            } else {
                closeAfterReply();
            }
        }
    }

    private @Nullable Throwable failureOf(ServletRequest request) {
        return requestEnded ? null : failures.find(request);
    }
}
