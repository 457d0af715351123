package dev.semel.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asynchronous context that a handler gets. When the handler completes it, the container does not hear of it before
 * the outcome is stored and the response is written.
 */
final class HeldAsyncContext implements AsyncContext, AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(HeldAsyncContext.class);

    private final ServletExchange exchange;
    private final HandlerRun run;
    private final AsyncContext container;
    private final ServletRequest request;
    private final ServletResponse response;
    private final boolean original;
    private final boolean limited;
    private final List<Listening> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    private record Listening(AsyncListener listener, ServletRequest request, ServletResponse response) {}

    /** One of the four events of a listener. */
    private interface Event {
        void tell(AsyncListener listener, AsyncEvent event) throws IOException;
    }

    HeldAsyncContext(
            ServletExchange exchange,
            HandlerRun run,
            AsyncContext container,
            ServletRequest request,
            ServletResponse response,
            boolean original) {
        this.exchange = exchange;
        this.run = run;
        this.container = container;
        this.request = request;
        this.response = response;
        this.original = original;
        this.limited = !run.entry().goesOn();
        if (!limited) {
            container.setTimeout(0);
        }
    }

    @Override
    public void complete() {
        requireFirstEnd();
        exchange.completed(null, container, request);
    }

    @Override
    public void dispatch() {
        redispatch(container::dispatch);
    }

    @Override
    public void dispatch(String path) {
        redispatch(() -> container.dispatch(path));
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        redispatch(() -> container.dispatch(context, path));
    }

    /** The handler wants to go on in another dispatch. */
    private void redispatch(Runnable dispatch) {
        requireFirstEnd();
        try {
            dispatch.run();
        } catch (IllegalStateException e) {
            if (!exchange.isRequestEnded()) {
                throw e;
            }
            run.clientLeft(e);
        }
    }

    /** Whether this is the first that ends it. */
    boolean end() {
        return ended.compareAndSet(false, true);
    }

    private void requireFirstEnd() {
        if (!end()) {
            throw new IllegalStateException("this asynchronous request was completed or dispatched already");
        }
    }

    @Override
    public void start(Runnable task) {
        container.start(() -> {
            try {
                task.run();
            } catch (Throwable e) {
                // The end of the operation, which a container does not report before the time limit, if there is one.
                if (!end()) {
                    throw e;
                }
                exchange.completed(e, container, request);
            }
        });
    }

    @Override
    public ServletRequest getRequest() {
        return request;
    }

    @Override
    public ServletResponse getResponse() {
        return response;
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return original;
    }

    @Override
    public void addListener(AsyncListener listener) {
        addListener(listener, request, response);
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        listeners.add(new Listening(listener, request, response));
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return container.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        if (limited) {
            container.setTimeout(millis);
        }
    }

    @Override
    public long getTimeout() {
        return container.getTimeout();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        timeOut(event.getThrowable());
    }

    /** The container has no time limit for a stream, and none for any request whose client has left. */
    void endWithin(Duration limit) {
        run.reply()
                .handle((reply, never) -> true)
                .completeOnTimeout(false, limit.toMillis(), TimeUnit.MILLISECONDS)
                .thenAcceptAsync(replied -> {
                    if (!run.isEnded()) {
                        timeOut(null);
                    }
                });
    }

    /** Passed on to the handler, which may stop its work. Whatever it does about it, its outcome is unknown. */
    void timeOut(@Nullable Throwable failure) {
        if (!ended.get()) {
            run.timingOut();
        }
        tell(AsyncListener::onTimeout, failure);
        if (end()) {
            run.timedOut();
            exchange.dispatch(container);
        }
    }

    /** Not passed on, because a client that is gone is no reason to stop. */
    @Override
    public void onError(AsyncEvent event) {
        exchange.requestEnded();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        exchange.requestEnded();
    }

    /** The exchange tells the listeners, in {@link #replacedBy}. */
    @Override
    public void onStartAsync(AsyncEvent event) {}

    void tellComplete() {
        tell(AsyncListener::onComplete, null);
        listeners.clear();
    }

    void replacedBy(HeldAsyncContext next) {
        listeners.forEach(listening -> tell(
                listening, AsyncListener::onStartAsync, new AsyncEvent(next, listening.request, listening.response)));
        listeners.clear();
    }

    private void tell(Event event, @Nullable Throwable failure) {
        listeners.forEach(listening ->
                tell(listening, event, new AsyncEvent(this, listening.request, listening.response, failure)));
    }

    private static void tell(Listening listening, Event event, AsyncEvent details) {
        try {
            event.tell(listening.listener, details);
        } catch (IOException | RuntimeException e) {
            LOG.warn("a listener of an asynchronous request failed", e);
        }
    }
}
