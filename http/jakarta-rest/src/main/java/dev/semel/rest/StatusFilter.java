package dev.semel.rest;

import dev.semel.http.Admission;
import dev.semel.http.HttpGate;
import dev.semel.http.ScopeExtractor;
import dev.semel.rest.message.Messages;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;

/** Returns the outcome of an operation. Before matching, because no resource has the path of the status resource. */
@PreMatching
record StatusFilter(HttpGate gate, ScopeExtractor<ContainerRequestContext> scopes) implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        if (gate.admit(Messages.head(request), null) instanceof Admission.Status status) {
            Messages.abort(
                    request,
                    status.lookup()
                            .answer(scopes.scope(request))
                            .toCompletableFuture()
                            .join());
        }
    }
}
