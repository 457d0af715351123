package dev.semel.servlet;

import dev.semel.http.problem.Answer;
import dev.semel.policy.Policy;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that runs its handler, over all its dispatches. The handler runs in the dispatch that the container chose its
 * filters for, never in another one: filters that stand between this one and the handler may be mapped to that dispatch
 * alone, and must not be skipped.
 */
final class ServletExchange {

    static final String EXCHANGE = "dev.semel.servlet.exchange";
    static final String ATTEMPT = "dev.semel.attempt";
    static final String ENTRY = "dev.semel.servlet.entry";

    private static final Logger LOG = LoggerFactory.getLogger(ServletExchange.class);

    private final HandlerRun run;
    private final CapturedHandler handler;
    private final Capture capture;
    private final Policy policy;
    private final ErrorDispatch error;
    private volatile boolean requestEnded;
    private volatile @Nullable HeldAsyncContext held;

    ServletExchange(HandlerRun run, CapturedHandler handler, Policy policy, ErrorRendering errors) {
        this.run = run;
        this.handler = handler;
        this.capture = handler.capture();
        this.policy = policy;
        this.error = new ErrorDispatch(errors, run, capture, this::closeAfterReply);
    }

    /** In the request's first dispatch. */
    void begin(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        request.setAttribute(EXCHANGE, this);
        request.setAttribute(ATTEMPT, run.attempt());
        Answer early = run.early();
        if (early != null) {
            capture.answerEarly(
                    early, Wrappers.outside(response), request.getProtocol().startsWith("HTTP/1"));
        }
        handle(request, response, chain);
    }

    /** In every later dispatch. */
    void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        DispatcherType dispatch = request.getDispatcherType();
        if (dispatch == DispatcherType.ERROR && !run.isEnded()) {
            renderError(request, response, chain);
        } else if (dispatch != DispatcherType.ASYNC) {
            chain.doFilter(request, response);
        } else if (error.isHeld()) {
            error.raise(Wrappers.outside(response));
        } else if (!error.isRaised() && !run.isEnded()) {
            handle(request, response, chain);
        } else {
            finish(response);
        }
    }

    private void handle(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException {
        Throwable failure = null;
        try {
            handler.call(request, response, chain, this);
        } catch (Throwable e) {
            failure = e;
        }
        HttpServletRequest outer = Wrappers.outside(request);
        if (!outer.isAsyncStarted()) {
            if (conclude(failure, request, outer.isAsyncSupported())) {
                finish(response);
            } else {
                AsyncContext async = outer.startAsync(outer, Wrappers.outside(response));
                async.addListener(new EndListener(this));
                dispatch(async);
            }
        } else if (failure != null && Objects.requireNonNull(held).end()) {
            completed(failure, outer.getAsyncContext(), request);
        }
    }

    /** Takes the handler's answer; {@code false} if it is an error that the container renders. */
    private boolean conclude(@Nullable Throwable failure, ServletRequest request, boolean canRaise) {
        if (canRaise && !capture.isAnswered() && error.hold(failure)) {
            return false;
        }
        if (failure != null) {
            run.threw(failure);
            return true;
        }
        if (capture.error() != null) {
            capture.renderProblem();
        }
        run.answered(capture.toResponse(failureOf(request)));
        return true;
    }

    private void renderError(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        capture.beginErrorPage(response);
        try {
            handler.call(request, response, chain, this);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            run.threw(e);
            closeAfterReply();
            throw e;
        }
        Throwable thrown = error.thrown();
        run.answered(capture.toResponse(thrown == null ? failureOf(request) : thrown));
        finish(response);
    }

    private @Nullable Throwable failureOf(ServletRequest request) {
        return requestEnded ? null : handler.failure(request);
    }

    /** Waits until the outcome is stored, and writes the reply. */
    private void finish(HttpServletResponse response) throws IOException {
        try {
            capture.reply(run.reply().join(), Wrappers.outside(response));
        } finally {
            close();
        }
    }

    private void close() {
        handler.close();
        HeldAsyncContext context = held;
        if (context != null) {
            context.tellComplete();
        }
    }

    /** For a request that no dispatch finishes any more. */
    private void closeAfterReply() {
        run.reply().whenComplete((done, never) -> close());
    }

    /** The handler has made its request asynchronous. */
    AsyncContext startAsync(AsyncContext async, ServletRequest request, ServletResponse response, boolean original) {
        HeldAsyncContext next = new HeldAsyncContext(this, run, async, request, response, original);
        HeldAsyncContext previous = held;
        held = next;
        async.addListener(next);
        if (previous != null) {
            previous.replacedBy(next);
        }
        if (run.entry().streams()) {
            next.endWithin(policy.lease());
        }
        return next;
    }

    @Nullable
    AsyncContext asyncContext() {
        return held;
    }

    /** The asynchronous handler has ended, normally or not. */
    void completed(@Nullable Throwable failure, AsyncContext async, ServletRequest request) {
        if (conclude(failure, request, true)) {
            run.reply().whenComplete((done, never) -> dispatch(async));
        } else {
            dispatch(async);
        }
    }

    /** Asks the container for a dispatch in which this exchange goes on. */
    void dispatch(AsyncContext async) {
        try {
            async.dispatch();
        } catch (IllegalStateException e) {
            LOG.debug("the client left before its answer was known", e);
            if (error.isHeld()) {
                error.concludeUnseen();
            } else {
                closeAfterReply();
            }
        }
    }

    /** The container has ended the request, with or without an answer of ours. */
    void requestEnded() {
        requestEnded = true;
        if (!run.isEnded() && (error.isHeld() || error.isRaised())) {
            error.concludeUnseen();
        } else {
            capture.detach();
            closeAfterReply();
        }
    }

    boolean isRequestEnded() {
        return requestEnded;
    }
}
