package dev.semel.quarkus.runtime;

import dev.semel.http.Admission;
import dev.semel.rest.message.Messages;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;

/** Returns the outcome of an operation. Before matching, because no resource has the path of the status resource. */
public class StatusFilter implements ContainerRequestFilter {

    private final RestGuard guard;

    @Inject
    public StatusFilter(RestGuard guard) {
        this.guard = guard;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        if (guard.admit(request, null) instanceof Admission.Status status) {
            ClaimFilter.context(request).suspend();
            status.lookup().answer(guard.scope(request)).whenComplete((answer, error) -> {
                if (error == null) {
                    Messages.abort(request, answer);
                } else {
                    ClaimFilter.context(request).resume(error);
                }
            });
        }
    }
}
