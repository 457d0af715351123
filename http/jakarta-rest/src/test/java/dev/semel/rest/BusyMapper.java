package dev.semel.rest;

import dev.semel.testkit.http.SampleService;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** Makes a response of an exception that means, by the policy, that nothing was executed. */
public final class BusyMapper implements ExceptionMapper<SampleService.Busy> {

    @Override
    public Response toResponse(SampleService.Busy busy) {
        return Response.status(503).entity("busy").type("text/plain").build();
    }
}
