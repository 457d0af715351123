package dev.semel.servlet;

import dev.semel.OutcomeUnknownException;
import dev.semel.http.ScopeExtractor;
import dev.semel.http.shadow.ShadowExchange;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request in shadow mode: its handler runs as if there were no filter, and its result is recorded afterwards. */
final class ShadowRun implements AsyncListener {

    private static final Logger log = LoggerFactory.getLogger(ShadowRun.class);
    private static final int INTERNAL_ERROR = 500;

    private final ShadowExchange exchange;
    private final boolean reportsEntry;
    private final FailureAttributes failures;
    private final @Nullable String scope;
    private final ShadowRequest request;
    private final HttpServletResponse response;
    private volatile @Nullable Throwable thrown;
    private volatile @Nullable OutcomeUnknownException timeOut;

    ShadowRun(
            ShadowExchange exchange,
            boolean reportsEntry,
            FailureAttributes failures,
            ScopeExtractor<HttpServletRequest> scopes,
            HttpServletRequest request,
            HttpServletResponse response) {
        this.exchange = exchange;
        this.reportsEntry = reportsEntry;
        this.failures = failures;
        this.scope = scopeOf(scopes, request);
        this.request = new ShadowRequest(request, exchange.body());
        this.response = response;
    }

    private static @Nullable String scopeOf(ScopeExtractor<HttpServletRequest> scopes, HttpServletRequest request) {
        try {
            return scopes.scope(request);
        } catch (RuntimeException e) {
            log.debug("the caller of a request in shadow mode is not known", e);
            return null;
        }
    }

    void run(FilterChain chain) throws IOException, ServletException {
        request.setAttribute(ServletExchange.ATTEMPT, exchange.attempt());
        try {
            chain.doFilter(request, response);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            thrown = e;
            throw e;
        } finally {
            returned();
        }
    }

    /** The handler has returned; if its request is asynchronous, it is over later. */
    private void returned() {
        try {
            if (thrown == null && request.isAsyncStarted()) {
                request.getAsyncContext().addListener(this);
                return;
            }
        } catch (IllegalStateException e) {
            log.debug("an asynchronous request has ended before it could be watched", e);
        }
        over();
    }

    private void over() {
        try {
            request.end();
            exchange.ended(
                    scope,
                    thrown == null || response.isCommitted() ? response.getStatus() : INTERNAL_ERROR,
                    failure(),
                    reportsEntry);
        } catch (IOException | ServletException | RuntimeException e) {
            log.debug("a request in shadow mode is not recorded", e);
            exchange.abandoned();
        }
    }

    private @Nullable Throwable failure() {
        if (timeOut != null) {
            return timeOut;
        }
        return thrown == null ? failures.find(request) : HandlerFailure.rootOf(thrown);
    }

    @Override
    public void onComplete(AsyncEvent event) {
        over();
    }

    @Override
    public void onError(AsyncEvent event) {
        thrown = event.getThrowable();
    }

    /** Is followed by {@link #onComplete}. Whatever is answered until then, the work may go on. */
    @Override
    public void onTimeout(AsyncEvent event) {
        timeOut = HandlerRun.timeOut();
    }

    /** A new asynchronous cycle has no listeners yet. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
