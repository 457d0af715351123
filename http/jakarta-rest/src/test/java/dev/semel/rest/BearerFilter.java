package dev.semel.rest;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;

/** Stands for authentication: knows a caller by the part of its token before the dot. */
@PreMatching
@Priority(Priorities.AUTHENTICATION)
public final class BearerFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        String authorization = request.getHeaderString("Authorization");
        if (authorization != null) {
            request.setSecurityContext(
                    new Caller(authorization.substring("Bearer ".length()).split("\\.")[0]));
        }
    }

    private record Caller(String name) implements SecurityContext {

        @Override
        public Principal getUserPrincipal() {
            return () -> name;
        }

        @Override
        public boolean isUserInRole(String role) {
            return false;
        }

        @Override
        public boolean isSecure() {
            return false;
        }

        @Override
        public String getAuthenticationScheme() {
            return "Bearer";
        }
    }
}
