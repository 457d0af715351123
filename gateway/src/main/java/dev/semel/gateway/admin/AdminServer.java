package dev.semel.gateway.admin;

import dev.semel.gateway.config.Admin;
import dev.semel.gateway.stats.Metrics;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** Serves the admin address. */
public final class AdminServer {

    private static final String METRICS = "/metrics";
    private static final String KEYS = "/api/keys/";
    private static final String RESOLVE = "/resolve";
    private static final String ERASE = "/api/erase";

    private final Guard guard;
    private final Overview overview;
    private final KeyPages keys;
    private final KeyResolutions resolving;
    private final ScopeErasures erasures;
    private final Metrics metrics;
    private final HttpServer server;

    private AdminServer(Guard guard, Overview overview, Metrics metrics, HttpServer server) {
        this.guard = guard;
        this.overview = overview;
        this.metrics = metrics;
        this.keys = new KeyPages(overview.records());
        this.resolving = new KeyResolutions(overview.records());
        this.erasures = new ScopeErasures(overview.store());
        this.server = server;
    }

    /** Starts to listen. */
    public static Future<AdminServer> listen(
            HttpServer server, Admin settings, AdminConnections connections, Overview overview, Metrics metrics) {
        AdminServer admin = new AdminServer(new Guard(settings.token(), connections), overview, metrics, server);
        return server.connectionHandler(connections::opened)
                .requestHandler(request -> {
                    connections.began(request);
                    admin.handle(request);
                })
                .listen(settings.address().port(), settings.address().host())
                .map(listening -> admin);
    }

    public int port() {
        return server.actualPort();
    }

    public Future<Void> close() {
        return server.close();
    }

    private void handle(HttpServerRequest request) {
        guard.harden(request.response());
        String path = request.path() == null ? "/" : request.path();
        if (path.equals("/health")) {
            Json.write(request, 200, new JsonObject().put("status", "ok"));
        } else if (path.equals("/ready")) {
            Json.write(
                    request,
                    overview.readiness().equals("ok") ? 200 : 503,
                    new JsonObject().put("status", overview.readiness()));
        } else if (!path.startsWith("/api/") && !path.equals(METRICS)) {
            ConsoleFiles.serve(request, path);
        } else if (guard.admits(request)) {
            answer(request, path);
        }
    }

    private void answer(HttpServerRequest request, String path) {
        if (request.method().equals(HttpMethod.POST)) {
            post(request, path);
        } else if (request.method().equals(HttpMethod.GET)) {
            get(request, path);
        } else {
            Json.problem(request, 405, "Method not allowed", "Use GET or POST.");
        }
    }

    private void get(HttpServerRequest request, String path) {
        if (path.equals(METRICS)) {
            request.response()
                    .putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                    .end(metrics.scrape());
        } else if (path.equals("/api/clients")) {
            Json.write(request, 200, ClientsJson.of(metrics.clients()));
        } else if (path.equals("/api/overview")) {
            Json.write(request, 200, overview.json());
        } else if (path.equals("/api/keys")) {
            keys.page(request);
        } else if (path.startsWith(KEYS) && path.indexOf('/', KEYS.length()) < 0) {
            keys.one(request, path.substring(KEYS.length()));
        } else {
            Json.problem(request, 404, "Not found", "There is nothing at " + path + ".");
        }
    }

    private void post(HttpServerRequest request, String path) {
        if (!guard.mayChange(request)) {
            Json.problem(
                    request,
                    403,
                    "Not allowed",
                    "A change needs Content-Type: application/json, the header Semel-Console: 1, and no foreign Origin.");
        } else if (path.startsWith(KEYS) && path.endsWith(RESOLVE)) {
            resolving.resolve(request, path.substring(KEYS.length(), path.length() - RESOLVE.length()));
        } else if (path.equals(ERASE)) {
            erasures.erase(request);
        } else {
            Json.problem(request, 404, "Not found", "There is nothing at " + path + ".");
        }
    }
}
