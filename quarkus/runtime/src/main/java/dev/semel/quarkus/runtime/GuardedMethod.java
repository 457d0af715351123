package dev.semel.quarkus.runtime;

import java.util.List;
import org.jboss.resteasy.reactive.common.model.ResourceClass;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.NonBlockingHandler;
import org.jboss.resteasy.reactive.server.model.HandlerChainCustomizer;
import org.jboss.resteasy.reactive.server.model.ServerResourceMethod;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;

/** A resource method that is marked. The build step records one for each, so that requests to others cost nothing. */
public class GuardedMethod implements HandlerChainCustomizer {

    static final String OPERATION = "dev.semel.quarkus.operation";

    private String operation = "";

    public String getOperation() {
        return operation;
    }

    public void setOperation(String operation) {
        this.operation = operation;
    }

    @Override
    public List<ServerRestHandler> handlers(Phase phase, ResourceClass type, ServerResourceMethod method) {
        return switch (phase) {
            case AFTER_MATCH -> List.of(context -> context.setProperty(OPERATION, operation));
            case BEFORE_METHOD_INVOKE ->
                method.isBlocking()
                        ? List.of(GuardedMethod::enter)
                        // Its body may have been read on a worker.
                        : List.of(NonBlockingHandler.INSTANCE, GuardedMethod::enter);
            default -> List.of();
        };
    }

    private static void enter(ResteasyReactiveRequestContext context) {
        GuardedRequest request = GuardedRequest.of(context.getProperty(GuardedRequest.PROPERTY));
        if (request != null && context.getResult() == null) {
            request.entered();
        }
    }
}
