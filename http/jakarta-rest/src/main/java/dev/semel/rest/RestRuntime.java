package dev.semel.rest;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The features that Jakarta REST lacks, as one implementation offers them: to learn that a resource method is entered,
 * which exception it ended with, and that a request is over, and to release a request's thread in a filter.
 */
interface RestRuntime {

    /** Gives the request's thread back; the response goes out when it is there. To be called at the end of a filter. */
    void suspend(ContainerRequestContext request, CompletionStage<Response> response);

    /** A request has begun that must not end without {@link RestExchange#finished}. */
    void begun(ContainerRequestContext request, RestExchange exchange);

    /** Installs the listeners that report to {@link RestExchange}. */
    static RestRuntime of(FeatureContext context) {
        Configuration configuration = context.getConfiguration();
        if (isA(configuration.getClass(), "org.jboss.resteasy.spi.ResteasyProviderFactory")) {
            return RestEasyRuntime.install(configuration);
        }
        if (isA(configuration.getClass(), "org.glassfish.jersey.ExtendedConfig")) {
            return JerseyRuntime.install(context);
        }
        throw new IllegalStateException("Semel knows Jersey and RESTEasy, but this application runs on "
                + configuration.getClass().getName()
                + ": use the servlet filter of semel-servlet in front of it instead");
    }

    /** By name, because only one of the implementations is there. */
    private static boolean isA(@Nullable Class<?> type, String name) {
        if (type == null) {
            return false;
        }
        if (type.getName().equals(name) || isA(type.getSuperclass(), name)) {
            return true;
        }
        for (Class<?> implemented : type.getInterfaces()) {
            if (isA(implemented, name)) {
                return true;
            }
        }
        return false;
    }
}
