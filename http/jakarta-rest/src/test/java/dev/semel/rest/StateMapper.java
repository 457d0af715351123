package dev.semel.rest;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** Makes a response of an exception, as applications do. */
public final class StateMapper implements ExceptionMapper<IllegalStateException> {

    @Override
    public Response toResponse(IllegalStateException failure) {
        return Response.status(500)
                .entity("mapped " + failure.getMessage())
                .type("text/plain")
                .build();
    }
}
