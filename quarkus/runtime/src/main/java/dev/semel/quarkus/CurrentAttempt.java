package dev.semel.quarkus;

import dev.semel.Attempt;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;

/** The attempt of a request, with its fencing token, child keys and steps. */
public final class CurrentAttempt {

    /** The request property that holds it. */
    public static final String PROPERTY = "dev.semel.quarkus.attempt";

    private CurrentAttempt() {}

    /** The attempt of this request, for resource methods and filters; empty if the request is not guarded. */
    public static Optional<Attempt> of(ContainerRequestContext request) {
        return Optional.ofNullable(request.getProperty(PROPERTY)).map(Attempt.class::cast);
    }
}
