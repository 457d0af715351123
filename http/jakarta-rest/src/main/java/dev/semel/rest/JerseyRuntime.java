package dev.semel.rest;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;
import org.glassfish.jersey.InjectionManagerProvider;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.server.AsyncContext;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;
import org.jspecify.annotations.Nullable;

/** Jersey reports the course of each request as events. */
final class JerseyRuntime implements RestRuntime, ApplicationEventListener {

    private final InjectionManager injections;

    private JerseyRuntime(InjectionManager injections) {
        this.injections = injections;
    }

    static RestRuntime install(FeatureContext context) {
        JerseyRuntime runtime = new JerseyRuntime(InjectionManagerProvider.getInjectionManager(context));
        context.register(runtime);
        return runtime;
    }

    @Override
    public void suspend(ContainerRequestContext request, CompletionStage<Response> response) {
        AsyncContext async = injections.getInstance(AsyncContext.class);
        async.suspend();
        // Ends the chain of filters; Jersey drops it, because the request is suspended.
        request.abortWith(Response.accepted().build());
        response.thenAccept(async::resume);
    }

    @Override
    public void begun(ContainerRequestContext request, RestExchange exchange) {
        // The course of the request sees its end.
    }

    @Override
    public void onEvent(ApplicationEvent event) {
        // Of the application, not of a request.
    }

    @Override
    public RequestEventListener onRequest(RequestEvent event) {
        return new Course();
    }

    /** The course of one request. */
    private static final class Course implements RequestEventListener {

        private @Nullable RestExchange exchange;

        @Override
        public void onEvent(RequestEvent event) {
            RestExchange known = exchange;
            if (known == null && event.getType() != RequestEvent.Type.FINISHED) {
                known = RestExchange.of(event.getContainerRequest());
                exchange = known;
            }
            if (known == null) {
                return;
            }
            if (event.getType() == RequestEvent.Type.RESOURCE_METHOD_START) {
                known.entered();
            } else if (event.getType() == RequestEvent.Type.ON_EXCEPTION) {
                known.failed(unwrap(event.getException()));
            } else if (event.getType() == RequestEvent.Type.FINISHED) {
                known.finished();
            }
        }

        /** Jersey wraps what a resource method throws; the type of the wrapper is not exported. */
        private static Throwable unwrap(Throwable thrown) {
            Throwable cause = thrown.getCause();
            return cause != null && thrown.getClass().getSimpleName().equals("MappableException") ? cause : thrown;
        }
    }
}
