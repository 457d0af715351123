package dev.semel.rest;

import dev.semel.http.Admission;
import dev.semel.http.Exchange;
import dev.semel.http.HttpGate;
import dev.semel.http.ReceiveLimits;
import dev.semel.http.Reply;
import dev.semel.http.RequestClaim;
import dev.semel.http.RuleFinder;
import dev.semel.http.ScopeExtractor;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import dev.semel.rest.message.Messages;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Claims the key of a request, and ends the request here if there is nothing to run.
 *
 * @param suspends whether the resource method answers through an {@code AsyncResponse}, which can time out
 */
record ClaimFilter(
        HttpGate gate,
        RuleFinder<ContainerRequestContext> rules,
        ScopeExtractor<ContainerRequestContext> scopes,
        ReceiveLimits receiving,
        RestRuntime runtime,
        Executor executor,
        boolean suspends)
        implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) throws IOException {
        Admission admission = gate.admit(Messages.head(request), rules.find(request));
        if (admission instanceof Admission.Refused refused) {
            Messages.abort(request, refused.answer());
        } else if (admission instanceof Exchange exchange) {
            guard(exchange, request);
        }
    }

    private void guard(Exchange exchange, ContainerRequestContext request) throws IOException {
        String scope = scopes.scope(request);
        Answer refusal = exchange.refusal(scope);
        if (refusal != null) {
            Messages.abort(request, refusal);
            return;
        }
        Spool body = Spool.of(exchange.rules().maxRequestBody());
        boolean owned = false;
        try {
            Answer unread = read(exchange, request, body);
            if (unread != null) {
                Messages.abort(request, unread);
                return;
            }
            owned = claim(exchange, scope, body, request);
        } finally {
            if (!owned) {
                body.close();
            }
        }
    }

    /** The answer to a request whose body is not taken; {@code null} for others. */
    private @Nullable Answer read(Exchange exchange, ContainerRequestContext request, Spool body) throws IOException {
        ReceiveLimits.Received received = receiving.receive(request.getEntityStream(), request.getLength(), body);
        if (received == ReceiveLimits.Received.WHOLE && body.size() == 0 && request.getLength() > 0) {
            throw new IllegalStateException(
                    "the body of this request was read before its key could be claimed, so it cannot"
                            + " be compared with others: do not read it in filters that run before priority "
                            + SemelFeature.CLAIM_PRIORITY);
        }
        return switch (received) {
            case WHOLE -> null;
            case TOO_LARGE -> exchange.tooLarge();
            case TOO_SLOW -> exchange.tooSlow();
        };
    }

    /** Whether the key is this request's own, and its resource method is to run. */
    private boolean claim(Exchange exchange, @Nullable String scope, Spool body, ContainerRequestContext request)
            throws IOException {
        RequestClaim claim = exchange.claim(scope, body);
        if (claim instanceof RequestClaim.Owned owned) {
            RestExchange begun =
                    new RestExchange(owned, body, exchange.rules().policy().maxPayload(), suspends);
            runtime.begun(request, begun);
            begun.begin(request);
            return true;
        }
        if (claim instanceof RequestClaim.Waiting waiting) {
            await(waiting.reply().toCompletableFuture(), request);
        } else if (claim instanceof Reply.Instead instead) {
            Messages.abort(request, instead.answer());
        }
        return false;
    }

    private void await(CompletableFuture<Reply> reply, ContainerRequestContext request) {
        if (reply.isDone()) {
            Messages.abort(request, ((Reply.Instead) reply.join()).answer());
            return;
        }
        Messages.markReady(request);
        runtime.suspend(
                request, reply.thenApplyAsync(done -> Messages.response(((Reply.Instead) done).answer()), executor));
    }
}
