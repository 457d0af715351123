package dev.semel.rest;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;

/** Refuses requests behind the claim of their key, as a limit of rates would. */
public final class LimitFilter implements ContainerRequestFilter {

    static final String REFUSED = "X-Refused";

    @Override
    public void filter(ContainerRequestContext request) {
        if (request.getHeaderString(REFUSED) != null) {
            request.abortWith(
                    Response.status(429).entity("slow down").type("text/plain").build());
        }
    }
}
