package dev.semel.quarkus.it;

import dev.semel.quarkus.CurrentAttempt;
import dev.semel.rest.Idempotent;
import dev.semel.store.StoreException;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.BlockingOperationControl;
import io.smallrye.mutiny.Uni;
import jakarta.transaction.Status;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Resource methods of the kinds that Quarkus REST has; each counts how often it ran. */
@Path("own")
public class OwnResource {

    static final AtomicInteger RUNS = new AtomicInteger();

    @POST
    @Path("text")
    @Idempotent
    public String text(String body) {
        return body + " in run " + RUNS.incrementAndGet() + where();
    }

    @POST
    @Path("uni")
    @Idempotent
    public Uni<String> uni(String body) {
        String answer = body + " in run " + RUNS.incrementAndGet() + where();
        return Uni.createFrom().item(answer);
    }

    private static String where() {
        return BlockingOperationControl.isBlockingAllowed() ? " on a worker" : " on an event loop";
    }

    @POST
    @Path("form")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Idempotent
    public String form(@FormParam("amount") String amount) {
        return text(amount);
    }

    @POST
    @Path("uni-form")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Idempotent
    public Uni<String> uniForm(@FormParam("amount") String amount) {
        return uni(amount);
    }

    @POST
    @Path("attempt")
    @Idempotent
    public String attempt(@Context ContainerRequestContext request) {
        return CurrentAttempt.of(request).orElseThrow().childKey("a part");
    }

    @POST
    @Path("transactional")
    @Idempotent
    @Transactional
    public String transactional() {
        return "run " + RUNS.incrementAndGet()
                + (QuarkusTransaction.getStatus() == Status.STATUS_ACTIVE ? " in a transaction" : "");
    }

    @POST
    @Path("unmarked")
    public String unmarked() {
        return "run " + RUNS.incrementAndGet();
    }

    /** What the store throws into a resource method is not its outcome, whatever a mapper makes of it. */
    @POST
    @Path("nested")
    @Idempotent
    public String nested() {
        RUNS.incrementAndGet();
        throw new IllegalStateException(new StoreException("the inner store is down", null));
    }

    @POST
    @Path("nested-uni")
    @Idempotent
    public Uni<String> nestedUni() {
        RUNS.incrementAndGet();
        return Uni.createFrom()
                .failure(() -> new IllegalStateException(new StoreException("the inner store is down", null)));
    }

    @POST
    @Path("nested-resume")
    @Idempotent
    public void nestedResume(@Suspended AsyncResponse response) {
        RUNS.incrementAndGet();
        CompletableFuture.runAsync(
                () -> response.resume(new IllegalStateException(new StoreException("the inner store is down", null))));
    }

    @POST
    @Path("mapped")
    @Idempotent
    public String mapped() {
        throw new IllegalStateException("run " + RUNS.incrementAndGet());
    }

    @POST
    @Path("unmapped")
    @Idempotent
    public Uni<String> unmapped() {
        throw new UnsupportedOperationException("run " + RUNS.incrementAndGet());
    }

    @POST
    @Path("time-out")
    @Idempotent
    public void timeOut(@Suspended AsyncResponse response) {
        RUNS.incrementAndGet();
        response.setTimeout(1, TimeUnit.MILLISECONDS);
    }

    @POST
    @Path("half")
    @Idempotent
    public StreamingOutput half() {
        int run = RUNS.incrementAndGet();
        return out -> {
            out.write(new byte[100]);
            throw new IllegalArgumentException("broke in run " + run);
        };
    }

    @POST
    @Path("zipped")
    @Idempotent
    public Response zipped() {
        return Response.ok("run " + RUNS.incrementAndGet(), "text/plain")
                .header("Content-Encoding", "gzip")
                .build();
    }
}
