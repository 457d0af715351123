package dev.semel.gateway.admin;

import dev.semel.gateway.access.AccessTokens;
import dev.semel.gateway.access.Role;
import dev.semel.gateway.access.Visitor;
import dev.semel.gateway.config.Admin;
import dev.semel.gateway.stats.Metrics;
import dev.semel.gateway.triage.KeyJson;
import dev.semel.gateway.triage.OperatorDecisions;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ServerSSLOptions;
import org.jspecify.annotations.Nullable;

/** Serves the admin address. */
public final class AdminServer {

    private static final String METRICS = "/metrics";
    private static final String KEYS = "/api/keys/";
    private static final String RESOLVE = "/resolve";
    private static final String ERASE = "/api/erase";
    private static final String ME = "/api/me";

    private final Guard guard;
    private final Overview overview;
    private final KeyPages keys;
    private final KeyResolutions resolving;
    private final ScopeErasures erasures;
    private final AuditPages audit;
    private final JsonObject me;
    private final Metrics metrics;
    private final HttpServer server;

    private AdminServer(Guard guard, Admin settings, Overview overview, Metrics metrics, HttpServer server) {
        this.guard = guard;
        this.overview = overview;
        this.metrics = metrics;
        OperatorDecisions decisions = new OperatorDecisions(overview.store(), settings.fourEyes());
        this.keys = new KeyPages(overview.records());
        this.resolving = new KeyResolutions(overview.records(), decisions);
        this.erasures = new ScopeErasures(overview.store(), decisions);
        this.audit = new AuditPages(overview.store());
        this.me = new JsonObject()
                .put(
                        "fourEyes",
                        new JsonArray(settings.fourEyes().stream()
                                .map(KeyJson::name)
                                .sorted()
                                .toList()))
                .put("traceUrl", settings.traceUrl());
        this.server = server;
    }

    /** Starts to listen. */
    public static Future<AdminServer> listen(
            HttpServer server, Admin settings, AdminConnections connections, Overview overview, Metrics metrics) {
        AdminServer admin =
                new AdminServer(new Guard(settings.tokens(), connections), settings, overview, metrics, server);
        return server.connectionHandler(connections::opened)
                .requestHandler(request -> {
                    connections.began(request);
                    admin.handle(request);
                })
                .listen(settings.address().port(), settings.address().host())
                .map(listening -> admin);
    }

    /** Accepts these tokens from now on, and no others. */
    public void use(AccessTokens tokens) {
        guard.use(tokens);
    }

    /** Shows this certificate on new connections. */
    public Future<Boolean> use(ServerSSLOptions certificate) {
        return server.updateSSLOptions(certificate, true);
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
        } else {
            Visitor visitor = guard.visitor(request);
            if (visitor != null) {
                answer(request, visitor, path);
            }
        }
    }

    private void answer(HttpServerRequest request, Visitor visitor, String path) {
        Role needed = needed(request.method(), path);
        if (needed != null && !visitor.may(needed)) {
            Json.problem(request, 403, "Not allowed", visitor.refusal(needed));
        } else if (request.method().equals(HttpMethod.POST)) {
            post(request, visitor, path);
        } else if (request.method().equals(HttpMethod.GET)) {
            get(request, visitor, path);
        } else {
            Json.problem(request, 405, "Method not allowed", "Use GET or POST.");
        }
    }

    private static @Nullable Role needed(HttpMethod method, String path) {
        if (path.equals(METRICS)) {
            return Role.METRICS;
        }
        if (path.equals(ME)) {
            return null;
        }
        if (path.equals(ERASE)) {
            return Role.ERASE;
        }
        return method.equals(HttpMethod.POST) ? Role.OPERATE : Role.READ;
    }

    private void get(HttpServerRequest request, Visitor visitor, String path) {
        switch (path) {
            case METRICS ->
                request.response()
                        .putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                        .end(metrics.scrape());
            case ME ->
                Json.write(
                        request,
                        200,
                        me.copy()
                                .put("name", visitor.person().name())
                                .put(
                                        "roles",
                                        new JsonArray(visitor.roles().stream()
                                                .map(KeyJson::name)
                                                .sorted()
                                                .toList())));
            case "/api/clients" -> Json.write(request, 200, ClientsJson.of(metrics.clients()));
            case "/api/health" -> Json.write(request, 200, overview.healthJson());
            case "/api/overview" -> Json.write(request, 200, overview.json());
            case "/api/keys" -> keys.page(request);
            case "/api/search" -> keys.search(request);
            case "/api/export" -> keys.export(request);
            case "/api/audit" -> audit.page(request);
            default -> {
                if (path.startsWith(KEYS) && path.indexOf('/', KEYS.length()) < 0) {
                    keys.one(request, path.substring(KEYS.length()));
                } else {
                    nothingAt(request, path);
                }
            }
        }
    }

    private static void nothingAt(HttpServerRequest request, String path) {
        Json.problem(request, 404, "Not found", "There is nothing at " + path + ".");
    }

    private void post(HttpServerRequest request, Visitor visitor, String path) {
        if (!guard.mayChange(request)) {
            Json.problem(
                    request,
                    403,
                    "Not allowed",
                    "A change needs Content-Type: application/json, the header Semel-Console: 1, and no foreign"
                            + " Origin.");
        } else if (path.startsWith(KEYS) && path.endsWith(RESOLVE)) {
            resolving.resolve(request, visitor, path.substring(KEYS.length(), path.length() - RESOLVE.length()));
        } else if (path.equals("/api/decisions")) {
            resolving.resolveMany(request, visitor);
        } else if (path.equals("/api/decisions/preview")) {
            resolving.preview(request);
        } else if (path.equals(ERASE)) {
            erasures.erase(request, visitor);
        } else {
            nothingAt(request, path);
        }
    }
}
