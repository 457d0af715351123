package dev.semel.quarkus.it;

import dev.semel.Header;
import dev.semel.rest.Idempotent;
import dev.semel.testkit.http.SampleRequest;
import dev.semel.testkit.http.SampleResponse;
import dev.semel.testkit.http.SampleService;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import java.util.concurrent.CompletionStage;

/** Serves the sample application on worker threads. */
@Path("/")
@Idempotent
public class SampleResource {

    static final String ANY = "{path: .*}";

    @Inject
    SampleService service;

    @POST
    @Path("async")
    public void later(@Suspended AsyncResponse response, @Context UriInfo uri, @Context HttpHeaders headers) {
        respond(service, uri, headers).thenApply(SampleResource::response).whenComplete((made, failure) -> {
            if (failure == null) {
                response.resume(made);
            } else {
                response.resume(failure);
            }
        });
    }

    @POST
    @Path("async-error")
    public CompletionStage<Response> stage(@Context UriInfo uri, @Context HttpHeaders headers) {
        return respond(service, uri, headers).thenApply(SampleResource::response);
    }

    @POST
    @Path(ANY)
    public Response post(@Context UriInfo uri, @Context HttpHeaders headers) {
        return now(uri, headers);
    }

    @PATCH
    @Path(ANY)
    public Response patch(@Context UriInfo uri, @Context HttpHeaders headers) {
        return now(uri, headers);
    }

    @GET
    @Path(ANY)
    public Response get(@Context UriInfo uri, @Context HttpHeaders headers) {
        return now(uri, headers);
    }

    @PUT
    @Path(ANY)
    public Response put(@Context UriInfo uri, @Context HttpHeaders headers) {
        return now(uri, headers);
    }

    @DELETE
    @Path(ANY)
    public Response delete(@Context UriInfo uri, @Context HttpHeaders headers) {
        return now(uri, headers);
    }

    private Response now(UriInfo uri, HttpHeaders headers) {
        return response(respond(service, uri, headers).toCompletableFuture().join());
    }

    static CompletionStage<SampleResponse> respond(SampleService service, UriInfo uri, HttpHeaders headers) {
        return service.respond(new SampleRequest(
                SampleBeans.sample(uri.getRequestUri().getPath()),
                uri.getRequestUri().getQuery(),
                headers.getHeaderString(SampleRequest.CASE)));
    }

    static Response response(SampleResponse answer) {
        if (answer.error()) {
            throw new WebApplicationException(Response.status(answer.status())
                    .entity("as told")
                    .type("text/plain")
                    .build());
        }
        Response.ResponseBuilder response = Response.status(answer.status());
        for (Header header : answer.headers()) {
            response.header(header.name(), header.value());
        }
        if (!answer.chunks().isEmpty()) {
            response.entity((StreamingOutput) out -> {
                for (byte[] chunk : answer.chunks()) {
                    out.write(chunk);
                    out.flush();
                }
            });
        }
        return response.build();
    }
}
