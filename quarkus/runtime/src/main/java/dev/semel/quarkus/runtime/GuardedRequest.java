package dev.semel.quarkus.runtime;

import dev.semel.Attempt;
import dev.semel.Header;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.HandlerEntry;
import dev.semel.http.HandlerResponse;
import dev.semel.http.Reply;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import dev.semel.quarkus.CurrentAttempt;
import dev.semel.rest.message.CapturedOutput;
import dev.semel.rest.message.Messages;
import dev.semel.util.Failures;
import io.quarkus.runtime.ExecutorRecorder;
import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.WebApplicationException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.core.ServerSerialisers;
import org.jboss.resteasy.reactive.server.core.serialization.EntityWriter;
import org.jboss.resteasy.reactive.server.handlers.FormBodyHandler;
import org.jboss.resteasy.reactive.server.spi.ServerHttpResponse;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request that runs its resource method, from the claim of its key to the response. */
final class GuardedRequest {

    static final String PROPERTY = "dev.semel.quarkus.request";

    private static final Logger LOG = LoggerFactory.getLogger(GuardedRequest.class);
    private static final byte[] EMPTY = {};

    private final ResteasyReactiveRequestContext context;
    private final Spool body;
    private final int maxPayload;
    private final HandlerEntry entry = HandlerEntry.reported();
    private final CompletableFuture<HandlerResponse> made = new CompletableFuture<>();
    private final CompletableFuture<Reply> reply = new CompletableFuture<>();
    private final ClientStream client;
    private volatile boolean begun;

    GuardedRequest(ResteasyReactiveRequestContext context, Spool body, int maxPayload) {
        this.context = context;
        this.body = body;
        this.maxPayload = maxPayload;
        this.client = new ClientStream(context.serverResponse());
    }

    static @Nullable GuardedRequest of(@Nullable Object property) {
        return property instanceof GuardedRequest request ? request : null;
    }

    boolean hasBegun() {
        return begun;
    }

    /** The key is this request's own: lets it go on to its resource method, which reads the body from here. */
    CompletionStage<HandlerResponse> begin(Attempt own) {
        // A form is read from the connection unless its reader may wait, and nothing is left there.
        boolean waits = body.blocks(0) || Stream.of(context.getHandlers()).anyMatch(FormBodyHandler.class::isInstance);
        try {
            context.setInputStream(body.open());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the body of a request back", e);
        }
        context.setProperty(PROPERTY, this);
        context.setProperty(CurrentAttempt.PROPERTY, own);
        context.registerCompletionCallback(this::finished);
        context.setAbortHandlerChain(Stream.concat(
                        Stream.<ServerRestHandler>of(this::answerUnmapped), Stream.of(context.getAbortHandlerChain()))
                .toArray(ServerRestHandler[]::new));
        // Quarkus stops the work of a client that leaves; this work has a key, and a retry will ask for its outcome.
        context.serverRequest().unwrap(HttpServerResponse.class).closeHandler(null);
        begun = true;
        if (waits) {
            context.resume(ExecutorRecorder.getCurrent());
        } else {
            context.resume();
        }
        return made;
    }

    void entered() {
        entry.enter();
    }

    /** The outcome is stored, or it is known why not. */
    void reply(@Nullable Reply done, @Nullable Throwable error) {
        if (done != null) {
            reply.complete(done);
        } else {
            reply.completeExceptionally(Objects.requireNonNull(error));
        }
    }

    /** The request is over. If its response was never seen, the outcome is unknown, and the key is not held forever. */
    private void finished(@Nullable Throwable failure) {
        if (!made.isDone()) {
            made.completeExceptionally(entry.seen(
                    new OutcomeUnknownException("the request ended without a response that could be seen", failure)));
        }
    }

    /** Quarkus renders an exception that no mapper takes outside of the request, where it could not be stored. */
    private void answerUnmapped(ResteasyReactiveRequestContext same) {
        Throwable failure = failure();
        if (failure == null || made.isDone() || isMapped(failure)) {
            return;
        }
        LOG.error("a resource method failed, and no exception mapper answers for it", failure);
        send(null, () -> made.completeExceptionally(entry.seen(failure)));
    }

    @SuppressWarnings("unchecked")
    private boolean isMapped(Throwable failure) {
        return failure instanceof WebApplicationException
                || context.getDeployment()
                                .getExceptionMapper()
                                .getExceptionMapper((Class<Throwable>) failure.getClass(), context, failure)
                        != null;
    }

    private @Nullable Throwable failure() {
        Throwable thrown = context.getThrowable();
        Throwable failure = thrown == null ? null : Failures.unwrap(thrown);
        // The time of an AsyncResponse can run out while the work goes on: that is not its outcome.
        return failure instanceof ServiceUnavailableException && context.getAsyncResponse() != null
                ? new OutcomeUnknownException("the resource method gave no response in time", failure)
                : failure;
    }

    /** Takes the response, behind all filters, and sends it when its outcome is stored. */
    void answer() {
        if (made.isDone()) {
            return;
        }
        int status = context.getResponse().get().getStatus();
        CapturedOutput captured = null;
        if (context.getResponseEntity() != null) {
            captured = new CapturedOutput(client, maxPayload);
            Throwable broken = write(captured);
            if (broken != null) {
                send(captured, () -> made.completeExceptionally(entry.seen(broken)));
                return;
            }
        } else {
            ServerSerialisers.encodeResponseHeaders(context);
        }
        byte[] bytes = captured == null ? EMPTY : captured.bytes();
        HandlerResponse response = HandlerResponse.of(status, headers(), bytes).withFailure(failure());
        send(captured, () -> made.complete(entry.seen(response)));
    }

    /** Lets the entity be written, by way of all interceptors; what it fails with, or {@code null}. */
    private @Nullable Throwable write(CapturedOutput captured) {
        context.setOutputStream(captured);
        try {
            EntityWriter writer = context.getEntityWriter();
            (writer == null ? context.getDeployment().getDynamicEntityWriter() : writer)
                    .write(context, context.getResponseEntity());
            if (!captured.isStreaming() && context.getWriterInterceptors() == null) {
                ServerSerialisers.encodeResponseHeaders(context);
            }
            return null;
        } catch (Exception | Error e) {
            return e.getCause() != null ? e.getCause() : e;
        } finally {
            context.setOutputStream(null);
            if (!captured.isStreaming()) {
                context.serverResponse().setPreCommitListener(null);
            }
        }
    }

    private List<Header> headers() {
        List<Header> headers = new ArrayList<>();
        for (Map.Entry<String, String> header : context.serverResponse().getAllResponseHeaders()) {
            headers.add(new Header(header.getKey(), header.getValue()));
        }
        return headers;
    }

    /** Ends the chain of handlers here, and the request when the reply is there. */
    private void send(@Nullable CapturedOutput captured, Runnable told) {
        context.setPosition(context.getHandlers().length);
        context.suspend();
        told.run();
        // The rest of a stream waits until the client takes it.
        Executor sender = captured != null && captured.isStreaming() ? ExecutorRecorder.getCurrent() : Runnable::run;
        reply.whenCompleteAsync(
                (done, error) -> {
                    try {
                        if (error != null) {
                            throw new IllegalStateException("the gate gave no reply", error);
                        }
                        send(done, captured);
                    } catch (IOException | RuntimeException e) {
                        LOG.debug("cannot send a response, whose client has probably left", e);
                        context.serverRequest().closeConnection();
                    } finally {
                        context.resume();
                    }
                },
                sender);
    }

    private void send(Reply done, @Nullable CapturedOutput captured) throws IOException {
        ServerHttpResponse response = context.serverResponse();
        byte[] held = captured == null ? EMPTY : captured.bytes();
        if (response.closed()) {
            return;
        }
        if (held == null) {
            if (done instanceof Reply.Instead) {
                throw new IOException("the resource method failed after a part of its response was sent");
            }
            Objects.requireNonNull(captured).finish();
            client.close();
        } else if (done instanceof Reply.Own own) {
            own.extra().forEach(header -> response.addResponseHeader(header.name(), header.value()));
            end(response, held);
        } else {
            Answer answer = ((Reply.Instead) done).answer();
            headers().stream()
                    .map(Header::name)
                    .filter(name -> !Messages.concernsBrowsers(name))
                    .forEach(response::removeResponseHeader);
            response.setStatusCode(answer.status());
            answer.headers().forEach(header -> response.addResponseHeader(header.name(), header.value()));
            end(response, answer.body());
        }
    }

    private static void end(ServerHttpResponse response, byte[] bytes) {
        if (bytes.length == 0) {
            response.end();
        } else {
            response.end(bytes);
        }
    }

    /** The client's stream, which is made when a response is too large to be held back. */
    private static final class ClientStream extends OutputStream {

        private final ServerHttpResponse response;
        private @Nullable OutputStream out;

        ClientStream(ServerHttpResponse response) {
            this.response = response;
        }

        private OutputStream out() {
            OutputStream made = out;
            if (made == null) {
                made = response.createResponseOutputStream();
                out = made;
            }
            return made;
        }

        @Override
        public void write(int b) throws IOException {
            out().write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out().write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            out().flush();
        }

        @Override
        public void close() throws IOException {
            out().close();
        }
    }
}
