package dev.semel.quarkus.it;

import dev.semel.testkit.http.SampleService;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jspecify.annotations.Nullable;

/** What stands around resources: authentication, a limit of rates, a filter that breaks, and exception mappers. */
public class SampleFilters {

    static final String REFUSED = "X-Refused";
    static final String BROKEN = "X-Broken";

    /** Knows a caller by the part of its token before the dot. */
    @ServerRequestFilter(preMatching = true, priority = Priorities.AUTHENTICATION)
    public void authenticate(ContainerRequestContext request) {
        String authorization = request.getHeaderString("Authorization");
        if (authorization != null) {
            request.setSecurityContext(
                    new Caller(authorization.substring("Bearer ".length()).split("\\.")[0]));
        }
    }

    /** Refuses requests behind the claim of their key. */
    @ServerRequestFilter
    public @Nullable Response limit(ContainerRequestContext request) {
        return request.getHeaderString(REFUSED) == null
                ? null
                : Response.status(429).entity("slow down").type("text/plain").build();
    }

    @ServerResponseFilter
    public void broken(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getHeaderString(BROKEN) != null) {
            throw new IllegalArgumentException("the filter is broken");
        }
    }

    @ServerExceptionMapper
    public Response busy(SampleService.Busy busy) {
        return Response.status(503).entity("busy").type("text/plain").build();
    }

    @ServerExceptionMapper
    public Response state(IllegalStateException failure) {
        return Response.status(500)
                .entity("mapped " + failure.getMessage())
                .type("text/plain")
                .build();
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
