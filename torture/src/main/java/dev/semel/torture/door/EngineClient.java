package dev.semel.torture.door;

import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;

/** A client of the service that calls the engine: everything is in headers. */
final class EngineClient extends HttpSide {

    EngineClient(HttpClient http) {
        super(http);
    }

    @Override
    String path(ServiceRequest request) {
        return "/run";
    }

    @Override
    Kind kind(HttpResponse<byte[]> response) {
        return Kind.valueOf(response.headers().firstValue("Answer").orElse("FAILED"));
    }
}
