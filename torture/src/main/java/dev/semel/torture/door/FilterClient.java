package dev.semel.torture.door;

import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.service.HashedKeys;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client of a service behind a filter. Some stories have their key in the header, some in the body, of some it is natural, and
 * of some a hash of the body; and for some the client asks to be answered before the work is done, and asks the status resource
 * for the outcome.
 */
final class FilterClient extends ProtocolClient {

    private static final int ACCEPTED = 202;
    private static final int KINDS_OF_STORIES = 6;
    private static final long POLL_MILLIS = 50;

    private final ScheduledExecutorService later = Executors.newScheduledThreadPool(1, DaemonThreads.named("polls"));

    private final HashedKeys hashed;

    FilterClient(HttpClient http, HashedKeys hashed) {
        super(http);
        this.hashed = hashed;
    }

    @Override
    public CompletableFuture<ServiceReply> ask(int port, ServiceRequest request, Duration patience) {
        HttpRequest.Builder builder = switch (Math.floorMod(
                Objects.hash(request.scope(), request.key()), KINDS_OF_STORIES)) {
            case 0 -> to(port, request, "/json", json(request)).header("Content-Type", "application/json");
            case 1 -> to(port, request, "/natural", request.body());
            case 2 ->
                to(port, request, "", request.body())
                        .header(ServiceRequest.KEY, request.key())
                        .header("Prefer", "respond-async");
            case 3 -> to(port, request, "/hash", hashedJson(request)).header("Content-Type", "application/json");
            default ->
                patient(to(port, request, "", request.body()), request, patience)
                        .header(ServiceRequest.KEY, request.key());
        };
        long deadline = System.nanoTime() + patience.toNanos();
        return send(builder.timeout(patience))
                .thenCompose(response -> response.statusCode() == ACCEPTED
                        ? poll(port, response.headers().firstValue("Location").orElseThrow(), request, deadline)
                        : CompletableFuture.completedFuture(reply(response)));
    }

    private HttpRequest.Builder to(int port, ServiceRequest request, String suffix, byte[] body) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(at(port, path(request) + suffix))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        request.headers()
                .forEach((name, value) ->
                        builder.header(name.equals(ServiceRequest.KEY) ? ServiceRequest.OWN_KEY : name, value));
        return builder;
    }

    /** Some wait for longer than a lease, if another request with the key is under way. */
    private static HttpRequest.Builder patient(HttpRequest.Builder builder, ServiceRequest request, Duration patience) {
        return request.isPatient() ? builder.header("Prefer", "wait=" + patience.toSeconds() / 2) : builder;
    }

    private static byte[] json(ServiceRequest request) {
        return json(request, text(request), "");
    }

    private static String text(ServiceRequest request) {
        return new String(request.body(), StandardCharsets.UTF_8);
    }

    private static byte[] json(ServiceRequest request, String order, String more) {
        return ("{\"key\":\"" + request.key() + "\"," + more + "\"order\":\"" + order + "\"}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Another body under the same key differs only in a field that the hash leaves out. */
    private byte[] hashedJson(ServiceRequest request) {
        String body = text(request);
        int end = body.indexOf(ServiceRequest.SOMETHING_ELSE);
        String order = end < 0 ? body : body.substring(0, end);
        hashed.add(request.operation(), request.key(), json(request, order, ""));
        return json(request, order, end < 0 ? "" : "\"more\":\"" + body.substring(end) + "\",");
    }

    private CompletableFuture<ServiceReply> poll(int port, String location, ServiceRequest request, long deadline) {
        HttpRequest.Builder get = HttpRequest.newBuilder(at(port, "").resolve(location))
                .header("Scope", request.scope())
                .timeout(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))
                .GET();
        return send(get).thenCompose(response -> {
            if (response.statusCode() != ACCEPTED) {
                return CompletableFuture.completedFuture(polled(response));
            }
            if (System.nanoTime() > deadline) {
                return CompletableFuture.failedFuture(new TimeoutException("the operation has not ended in time"));
            }
            CompletableFuture<Object> pause = new CompletableFuture<>();
            later.schedule(() -> pause.complete(this), POLL_MILLIS, TimeUnit.MILLISECONDS);
            return pause.thenCompose(passed -> poll(port, location, request, deadline));
        });
    }

    /** It is the client's own attempt whose end is unknown, or that was refused: only an outcome says more. */
    private ServiceReply polled(HttpResponse<byte[]> response) {
        ServiceReply reply = reply(response);
        return reply.kind() == Kind.REPLAYED ? reply : new ServiceReply(Kind.FAILED, reply.body(), 0);
    }
}
