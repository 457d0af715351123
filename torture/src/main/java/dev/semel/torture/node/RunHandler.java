package dev.semel.torture.node;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import java.io.IOException;

/** Turns an HTTP request into one to the system under test, and its reply into a response. */
record RunHandler(Service service) implements HttpHandler {

    /** What is done with a request. */
    @FunctionalInterface
    interface Service {
        ServiceReply handle(ServiceRequest request) throws Exception;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getRequestHeaders();
            ServiceRequest request = ServiceRequest.read(
                    headers::getFirst, exchange.getRequestBody().readAllBytes());
            ServiceReply reply;
            try {
                reply = service.handle(request);
            } catch (Exception e) {
                reply = ServiceReply.failed(ServiceReply.Kind.FAILED, e);
            }
            exchange.getResponseHeaders().set("Answer", reply.kind().name());
            exchange.getResponseHeaders().set("Attempt", Integer.toString(reply.attempt()));
            exchange.sendResponseHeaders(reply.kind().status(), reply.body().length == 0 ? -1 : reply.body().length);
            exchange.getResponseBody().write(reply.body());
        }
    }
}
