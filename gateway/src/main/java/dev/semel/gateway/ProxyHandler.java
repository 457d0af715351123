package dev.semel.gateway;

import dev.semel.gateway.config.PathPattern;
import dev.semel.gateway.config.Route;
import dev.semel.gateway.stats.Counters.Count;
import dev.semel.http.Admission;
import dev.semel.http.Exchange;
import dev.semel.http.HttpGate;
import dev.semel.http.RequestHead;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** Decides what becomes of a request: passed through, refused, answered from the store, or protected. */
final class ProxyHandler implements Handler<HttpServerRequest> {

    private static final int NOT_IMPLEMENTED = 501;

    private final Traffic traffic;
    private final HttpGate gate;
    private final List<Route> routes;
    private final Callers callers;
    private final Connections connections;

    ProxyHandler(Traffic traffic, HttpGate gate, List<Route> routes, Callers callers, Connections connections) {
        this.traffic = traffic;
        this.gate = gate;
        this.routes = routes;
        this.callers = callers;
        this.connections = connections;
    }

    @Override
    public void handle(HttpServerRequest request) {
        traffic.counters().add(Count.REQUESTS);
        connections.began(request);
        if (request.method().equals(HttpMethod.CONNECT)) {
            request.response().setStatusCode(NOT_IMPLEMENTED).end();
            return;
        }
        String path = request.path() == null ? "/" : request.path();
        Route route = routeOf(path);
        RequestHead head = new RequestHead(
                request.method().name(),
                path,
                request.query(),
                name -> request.headers().getAll(name));
        Admission admission = gate.admit(head, route.rules());
        if (admission instanceof Exchange exchange) {
            ProtectedRequest.start(traffic, request, exchange, route.timeout(), callers.scopeOf(request));
        } else if (admission instanceof Admission.Refused refused) {
            Answers.write(traffic.vertx(), request, refused.answer());
        } else if (admission instanceof Admission.Status status) {
            answerStatus(request, status);
        } else {
            pass(request, route);
        }
    }

    private void pass(HttpServerRequest request, Route route) {
        traffic.counters().add(Count.PASSED);
        PassThrough.start(traffic, request, route.timeout());
    }

    private Route routeOf(String path) {
        if (routes.size() == 1) {
            return routes.get(0);
        }
        List<String> segments = PathPattern.segments(path);
        return routes.stream()
                .filter(route -> route.path().matches(segments))
                .findFirst()
                .orElseThrow();
    }

    private void answerStatus(HttpServerRequest request, Admission.Status status) {
        Context context = traffic.vertx().getOrCreateContext();
        status.lookup()
                .answer(callers.scopeOf(request))
                .thenAccept(answer -> context.runOnContext(now -> Answers.write(traffic.vertx(), request, answer)));
    }
}
