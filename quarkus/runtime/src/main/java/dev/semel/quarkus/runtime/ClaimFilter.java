package dev.semel.quarkus.runtime;

import dev.semel.http.Admission;
import dev.semel.http.Exchange;
import dev.semel.http.ReceiveLimits.Received;
import dev.semel.http.Reply;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import dev.semel.rest.message.Messages;
import io.quarkus.runtime.ExecutorRecorder;
import jakarta.inject.Inject;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Claims the key of a request, and ends the request here if there is nothing to run. No thread waits meanwhile: the request is
 * suspended while its body arrives, while the store answers, and while it waits for the outcome of another.
 */
public class ClaimFilter implements ContainerRequestFilter {

    /** After authorization: a caller that may not call must not learn of a key. */
    public static final int PRIORITY = Priorities.AUTHORIZATION + 500;

    private final RestGuard guard;

    @Inject
    public ClaimFilter(RestGuard guard) {
        this.guard = guard;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        Object operation = request.getProperty(GuardedMethod.OPERATION);
        if (operation == null) {
            return;
        }
        Admission admission = guard.admit(request, (String) operation);
        if (admission instanceof Admission.Refused refused) {
            Messages.abort(request, refused.answer());
        } else if (admission instanceof Exchange exchange) {
            String scope = guard.scope(request);
            Answer refusal = exchange.refusal(scope);
            if (refusal != null) {
                Messages.abort(request, refusal);
            } else {
                read(exchange, scope, request);
            }
        }
    }

    static ResteasyReactiveRequestContext context(ContainerRequestContext request) {
        return (ResteasyReactiveRequestContext)
                ((ResteasyReactiveContainerRequestContext) request).getServerRequestContext();
    }

    private void read(Exchange exchange, @Nullable String scope, ContainerRequestContext request) {
        ResteasyReactiveRequestContext context = context(request);
        Executor workers = ExecutorRecorder.getCurrent();
        Spool body = Spool.of(exchange.rules().maxRequestBody());
        context.suspend();
        RequestBodyReader.read(context, body, guard.receiving(), workers).whenComplete((received, error) -> {
            if (received == Received.WHOLE) {
                // To find out what the request is, its body is read from wherever it is.
                Executor here = body.blocks(0) ? workers : Runnable::run;
                here.execute(() -> claim(exchange, scope, body, request));
                return;
            }
            body.close();
            if (received == null) {
                context.resume(error, true);
            } else {
                Messages.abort(request, received == Received.TOO_LARGE ? exchange.tooLarge() : exchange.tooSlow());
            }
        });
    }

    private static void claim(Exchange exchange, @Nullable String scope, Spool body, ContainerRequestContext request) {
        GuardedRequest guarded = new GuardedRequest(
                context(request), body, exchange.rules().policy().maxPayload());
        CompletionStage<Reply> running;
        try {
            running = exchange.run(scope, body, Runnable::run, guarded::begin)
                    .thenCompose(reply -> reply instanceof Reply.Early early
                            ? early.rest()
                            : CompletableFuture.completedStage(reply));
        } catch (RuntimeException | Error e) {
            running = CompletableFuture.failedFuture(e);
        }
        running.whenComplete((reply, error) -> {
            body.close();
            if (guarded.hasBegun()) {
                guarded.reply(reply, error);
            } else if (reply instanceof Reply.Instead instead) {
                Messages.abort(request, instead.answer());
            } else {
                context(request).resume(error, true);
            }
        });
    }
}
