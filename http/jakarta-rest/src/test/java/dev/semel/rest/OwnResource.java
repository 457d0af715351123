package dev.semel.rest;

import dev.semel.store.StoreException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Resource methods of the kinds that Jakarta REST has; each counts how often it ran. */
@Path("own")
public final class OwnResource {

    static final int MAX_BODY = 100_000;

    final AtomicInteger runs = new AtomicInteger();

    /** What {@link #charge} does. */
    volatile Consumer<String> effect = order -> {};

    @POST
    @Path("text")
    @Idempotent
    public String text(String body) {
        return body + " in run " + runs.incrementAndGet();
    }

    @POST
    @Path("charge")
    @Idempotent
    public String charge(String order) {
        effect.accept(order);
        return "charged " + order;
    }

    @POST
    @Path("unmarked")
    public String unmarked() {
        return "run " + runs.incrementAndGet();
    }

    /** What the store throws into a resource method is not its outcome, whatever a mapper makes of it. */
    @POST
    @Path("nested")
    @Idempotent
    public String nested() {
        runs.incrementAndGet();
        throw new IllegalStateException(new StoreException("the inner store is down", null));
    }

    @POST
    @Path("nested-stage")
    @Idempotent
    public CompletionStage<String> nestedStage() {
        runs.incrementAndGet();
        return CompletableFuture.supplyAsync(() -> {
            throw new IllegalStateException(new StoreException("the inner store is down", null));
        });
    }

    @POST
    @Path("nested-resume")
    @Idempotent
    public void nestedResume(@Suspended AsyncResponse response) {
        runs.incrementAndGet();
        CompletableFuture.runAsync(
                () -> response.resume(new IllegalStateException(new StoreException("the inner store is down", null))));
    }

    @POST
    @Path("mapped")
    @Idempotent
    public String mapped() {
        throw new IllegalStateException("run " + runs.incrementAndGet());
    }

    @POST
    @Path("time-out")
    @Idempotent
    public void timeOut(@Suspended AsyncResponse response) {
        runs.incrementAndGet();
        response.setTimeout(1, TimeUnit.MILLISECONDS);
    }

    @POST
    @Path("half")
    @Idempotent
    public StreamingOutput half() {
        int run = runs.incrementAndGet();
        return out -> {
            out.write(new byte[100]);
            throw new IllegalArgumentException("broke in run " + run);
        };
    }

    @POST
    @Path("zipped")
    @Idempotent
    public Response zipped() {
        return Response.ok("run " + runs.incrementAndGet(), "text/plain")
                .header("Content-Encoding", "gzip")
                .build();
    }

    @POST
    @Path("no-writer")
    @Idempotent
    public Response noWriter() {
        runs.incrementAndGet();
        return Response.ok(new Object(), "application/unheard-of").build();
    }
}
