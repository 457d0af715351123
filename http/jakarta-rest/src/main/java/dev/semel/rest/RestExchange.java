package dev.semel.rest;

import dev.semel.Attempt;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.HandlerEntry;
import dev.semel.http.HandlerResponse;
import dev.semel.http.Reply;
import dev.semel.http.RequestClaim;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import dev.semel.rest.message.CapturedOutput;
import dev.semel.rest.message.Messages;
import dev.semel.util.Failures;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A request that runs its resource method, from the claim of its key to the response. */
final class RestExchange {

    static final String PROPERTY = "dev.semel.rest.exchange";

    private static final byte[] EMPTY = {};

    private final RequestClaim.Owned owned;
    private final Spool body;
    private final int maxPayload;
    private final boolean suspends;
    private final HandlerEntry entry = HandlerEntry.reported();
    private volatile boolean awaited;
    private @Nullable ContainerResponseContext response;

    RestExchange(RequestClaim.Owned owned, Spool body, int maxPayload, boolean suspends) {
        this.owned = owned;
        this.body = body;
        this.maxPayload = maxPayload;
        this.suspends = suspends;
    }

    static @Nullable RestExchange of(ContainerRequestContext request) {
        return of(request.getProperty(PROPERTY));
    }

    static @Nullable RestExchange of(@Nullable Object property) {
        return property instanceof RestExchange exchange ? exchange : null;
    }

    Attempt attempt() {
        return owned.attempt();
    }

    /** Lets the request go on to its resource method, which reads the body from here. */
    void begin(ContainerRequestContext request) throws IOException {
        owned.reply().whenComplete((done, never) -> body.close());
        request.setProperty(PROPERTY, this);
        try {
            request.setEntityStream(body.open());
        } catch (IOException | RuntimeException e) {
            failed(e);
            finished();
            throw e;
        }
    }

    void entered() {
        entry.enter();
    }

    /** Reports the exception of the resource method, or of a filter before it; {@code null} if it was successful. */
    void failed(@Nullable Throwable thrown) {
        if (thrown != null) {
            Throwable failure = Failures.unwrap(thrown);
            // The time of an AsyncResponse can run out while the work goes on: that is not its outcome.
            entry.fail(suspends && failure instanceof ServiceUnavailableException ? lateBecauseOf(failure) : failure);
        }
    }

    private static OutcomeUnknownException lateBecauseOf(@Nullable Throwable failure) {
        return new OutcomeUnknownException("the resource method gave no response in time", failure);
    }

    /** The resource method has an {@code AsyncResponse}: a response before {@link #resumed} is that of a time-out. */
    void suspended() {
        awaited = true;
    }

    void resumed(@Nullable Throwable failure) {
        awaited = false;
        failed(failure);
    }

    /** The request is over. If its response was never seen, the outcome is unknown, and the key is not held forever. */
    void finished() {
        if (!owned.isEnded()) {
            owned.fail(entry.seen(new OutcomeUnknownException(
                    "the request ended without a response that could be seen", entry.failureOr(null))));
        }
    }

    /** Takes a response. One with an entity is complete when that is written. */
    void answer(ContainerResponseContext made) {
        if (owned.isEnded()) {
            return;
        }
        response = made;
        if (!made.hasEntity() && end(made, EMPTY) instanceof Reply.Instead instead) {
            Messages.replace(made, instead.answer());
            made.setEntity(instead.answer().body());
        }
    }

    /** Lets the entity be written, and sends it when its outcome is stored. */
    void write(WriterInterceptorContext context) throws IOException {
        ContainerResponseContext made = response;
        if (made == null || owned.isEnded()) {
            context.proceed();
            return;
        }
        OutputStream client = context.getOutputStream();
        CapturedOutput captured = new CapturedOutput(client, maxPayload);
        context.setOutputStream(captured);
        Throwable broken = null;
        try {
            context.proceed();
        } catch (WebApplicationException e) {
            if (!captured.isStreaming() && entry.failureOr(null) == null) {
                // The framework makes another response of it.
                failed(e);
                throw e;
            }
            broken = e;
        } catch (IOException | RuntimeException | Error e) {
            broken = e;
        } finally {
            context.setOutputStream(client);
        }
        Reply reply = broken == null ? end(made, captured.bytes()) : end(broken);
        send(reply, made, captured, client);
    }

    private static void send(Reply reply, ContainerResponseContext made, CapturedOutput captured, OutputStream client)
            throws IOException {
        byte[] held = captured.bytes();
        if (reply instanceof Reply.Own own && held != null) {
            Messages.add(own.extra(), made);
            client.write(held);
        } else if (reply instanceof Reply.Own) {
            captured.finish();
        } else if (held != null) {
            Answer answer = ((Reply.Instead) reply).answer();
            Messages.replace(made, answer);
            client.write(answer.body());
        } else {
            throw new IOException("the resource method failed after a part of its response was sent");
        }
    }

    private Reply end(ContainerResponseContext made, byte @Nullable [] bytes) {
        Throwable failure = awaited ? lateBecauseOf(entry.failureOr(null)) : entry.failureOr(null);
        if (failure != null && bytes != null && bytes.length == 0 && !(failure instanceof WebApplicationException)) {
            return end(failure);
        }
        HandlerResponse response = HandlerResponse.of(made.getStatus(), Messages.headers(made), bytes);
        owned.complete(entry.seen(response.withFailure(failure)));
        return owned.reply().toCompletableFuture().join();
    }

    private Reply end(Throwable failure) {
        owned.fail(entry.seen(failure));
        return owned.reply().toCompletableFuture().join();
    }
}
