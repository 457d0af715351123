package dev.semel.quarkus.runtime;

import dev.semel.http.ReceiveLimits;
import dev.semel.http.ReceiveLimits.Received;
import dev.semel.http.spool.Spool;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ServerHttpRequest;

/** Reads a body into a spool, on the event loop and without waiting there. */
final class RequestBodyReader implements ServerHttpRequest.ReadCallback {

    private final ResteasyReactiveRequestContext context;
    private final Spool body;
    private final ReceiveLimits limits;
    private final Executor workers;
    private final long began = System.nanoTime();
    private final CompletableFuture<Received> received = new CompletableFuture<>();

    /** Whether a worker writes to the file system; only looked at on the event loop. */
    private boolean writing;

    private RequestBodyReader(
            ResteasyReactiveRequestContext context, Spool body, ReceiveLimits limits, Executor workers) {
        this.context = context;
        this.body = body;
        this.limits = limits;
        this.workers = workers;
    }

    /** Starts to read. The stage may complete on any thread; it fails when the client leaves before its request is whole. */
    static CompletionStage<Received> read(
            ResteasyReactiveRequestContext context, Spool body, ReceiveLimits limits, Executor workers) {
        if (context.hasInputStream()) {
            return CompletableFuture.supplyAsync(() -> readFromFilter(context, body, limits), workers);
        }
        RequestBodyReader reader = new RequestBodyReader(context, body, limits, workers);
        if (context.serverRequest().isOnIoThread()) {
            reader.start();
        } else {
            context.getContextExecutor().execute(reader::start);
        }
        return reader.received;
    }

    /** A filter before the claim has asked for the body, and has hopefully left another stream with it. */
    private static Received readFromFilter(ResteasyReactiveRequestContext context, Spool body, ReceiveLimits limits) {
        int announced = context.getHttpHeaders().getLength();
        try {
            Received received = limits.receive(context.getInputStream(), announced, body);
            if (received == Received.WHOLE && body.size() == 0 && announced > 0) {
                throw new IllegalStateException(
                        "the body of this request was read before its key could be claimed, so it cannot be compared with"
                                + " others: do not read it in filters that run before priority "
                                + ClaimFilter.PRIORITY);
            }
            return received;
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private void start() {
        ServerHttpRequest request = context.serverRequest();
        HttpServerRequest connection = request.unwrap(HttpServerRequest.class);
        Runnable timer = context.registerTimer(limits.deadline().toMillis(), () -> {
            if (!writing) {
                received.complete(Received.TOO_SLOW);
            }
        });
        received.whenComplete((done, never) -> {
            timer.run();
            connection.exceptionHandler(null);
        });
        connection.exceptionHandler(received::completeExceptionally);
        if (request.isRequestEnded()) {
            done();
        } else {
            request.setReadListener(this);
        }
    }

    @Override
    public void data(ByteBuffer arrived) {
        if (received.isDone()) {
            return;
        }
        byte[] bytes = new byte[arrived.remaining()];
        arrived.get(bytes);
        if (!body.blocks(bytes.length)) {
            take(bytes);
            return;
        }
        writing = true;
        context.serverRequest().pauseRequestInput();
        workers.execute(() -> {
            take(bytes);
            context.getContextExecutor().execute(() -> {
                writing = false;
                context.serverRequest().resumeRequestInput();
            });
        });
    }

    private void take(byte[] bytes) {
        try {
            if (!body.offer(bytes)) {
                received.complete(Received.TOO_LARGE);
            } else if (limits.isTooSlow(body.size(), Duration.ofNanos(System.nanoTime() - began))) {
                received.complete(Received.TOO_SLOW);
            }
        } catch (IOException e) {
            received.completeExceptionally(e);
        }
    }

    @Override
    public void done() {
        received.complete(Received.WHOLE);
    }
}
