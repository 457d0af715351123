package dev.semel.quarkus;

import dev.semel.Attempt;
import dev.semel.quarkus.runtime.GuardedRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;

/** The attempt that a request is, with its fencing token, child keys and steps. */
public final class CurrentAttempt {

    private CurrentAttempt() {}

    /** For resource methods and filters; empty if the request is not guarded. */
    public static Optional<Attempt> of(ContainerRequestContext request) {
        return Optional.ofNullable(GuardedRequest.of(request.getProperty(GuardedRequest.PROPERTY)))
                .map(GuardedRequest::attempt);
    }
}
