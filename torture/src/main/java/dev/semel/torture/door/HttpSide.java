package dev.semel.torture.door;

import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A client that gets its answer in an HTTP response. */
abstract class HttpSide implements ClientSide {

    private final HttpClient http;

    HttpSide(HttpClient http) {
        this.http = http;
    }

    /** The path of the request. */
    abstract String path(ServiceRequest request);

    /** What the answer says to a client. */
    abstract Kind kind(HttpResponse<byte[]> response);

    @Override
    public CompletableFuture<ServiceReply> ask(int port, ServiceRequest request, Duration patience) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(at(port, path(request)))
                .timeout(patience)
                .POST(HttpRequest.BodyPublishers.ofByteArray(request.body()));
        request.headers().forEach(builder::header);
        return send(builder).thenApply(this::reply);
    }

    static URI at(int port, String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    CompletableFuture<HttpResponse<byte[]>> send(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    ServiceReply reply(HttpResponse<byte[]> response) {
        return new ServiceReply(kind(response), response.body(), attempt(response));
    }

    private static int attempt(HttpResponse<byte[]> response) {
        return Integer.parseInt(response.headers().firstValue("Attempt").orElse("0"));
    }
}
