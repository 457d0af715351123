package dev.semel.quarkus.runtime;

import dev.semel.rest.message.Messages;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.core.ServerSerialisers;

/**
 * Captures the response of a guarded request, and sends answers that the framework must not write again, such as a
 * replay.
 */
public class CaptureFilter implements ContainerResponseFilter {

    /** Filters of responses run in descending order. */
    public static final int PRIORITY = Integer.MIN_VALUE;

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        GuardedRequest guarded = GuardedRequest.of(request.getProperty(GuardedRequest.PROPERTY));
        if (guarded != null) {
            guarded.answer();
        } else if (Messages.isReady(request)) {
            send(ClaimFilter.context(request));
        }
    }

    /** Sends the response without the interceptors, because its bytes are final. */
    private static void send(ResteasyReactiveRequestContext context) {
        ServerSerialisers.encodeResponseHeaders(context);
        if (context.getResponseEntity() instanceof byte[] bytes) {
            context.serverResponse().end(bytes);
        } else {
            context.serverResponse().end();
        }
        context.setPosition(context.getHandlers().length);
    }
}
