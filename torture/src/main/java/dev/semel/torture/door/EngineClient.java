package dev.semel.torture.door;

import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A client of the service that calls the engine: everything is in headers. */
final class EngineClient implements ClientSide {

    @Override
    public HttpRequest.Builder request(int port, ServiceRequest request) {
        return described(URI.create("http://127.0.0.1:" + port + "/run"), request);
    }

    /** The request with what makes the service behave as it should. */
    static HttpRequest.Builder described(URI uri, ServiceRequest request) {
        return HttpRequest.newBuilder(uri)
                .header("Operation", request.operation().name())
                .header("Scope", request.scope())
                .header("Idempotency-Key", request.key())
                .header("Request", request.id())
                .header("Work", Long.toString(request.work()))
                .header("Behaviour", request.behaviour().name())
                .POST(HttpRequest.BodyPublishers.ofByteArray(request.body()));
    }

    @Override
    public Kind kind(HttpResponse<byte[]> response) {
        return Kind.valueOf(response.headers().firstValue("Answer").orElse("FAILED"));
    }
}
