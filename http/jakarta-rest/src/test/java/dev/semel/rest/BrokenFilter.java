package dev.semel.rest;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;

/** Breaks every response to a request that asks for it. */
public final class BrokenFilter implements ContainerResponseFilter {

    static final String BROKEN = "X-Broken";

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getHeaderString(BROKEN) != null) {
            throw new IllegalArgumentException("the filter is broken");
        }
    }
}
