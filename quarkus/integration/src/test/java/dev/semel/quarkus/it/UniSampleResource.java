package dev.semel.quarkus.it;

import dev.semel.rest.Idempotent;
import dev.semel.testkit.http.SampleService;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;

/** Serves the sample application on event loops. */
@Path("/uni")
@Idempotent
public class UniSampleResource {

    @Inject
    SampleService service;

    @POST
    @Path(SampleResource.ANY)
    public Uni<Response> post(@Context UriInfo uri, @Context HttpHeaders headers) {
        return later(uri, headers);
    }

    @PATCH
    @Path(SampleResource.ANY)
    public Uni<Response> patch(@Context UriInfo uri, @Context HttpHeaders headers) {
        return later(uri, headers);
    }

    @GET
    @Path(SampleResource.ANY)
    public Uni<Response> get(@Context UriInfo uri, @Context HttpHeaders headers) {
        return later(uri, headers);
    }

    @PUT
    @Path(SampleResource.ANY)
    public Uni<Response> put(@Context UriInfo uri, @Context HttpHeaders headers) {
        return later(uri, headers);
    }

    @DELETE
    @Path(SampleResource.ANY)
    public Uni<Response> delete(@Context UriInfo uri, @Context HttpHeaders headers) {
        return later(uri, headers);
    }

    private Uni<Response> later(UriInfo uri, HttpHeaders headers) {
        return Uni.createFrom()
                .completionStage(() -> SampleResource.respond(service, uri, headers))
                .map(SampleResource::response);
    }
}
