package dev.semel.gateway.proxy;

import dev.semel.gateway.config.PathReadings;
import dev.semel.gateway.config.Route;
import dev.semel.gateway.identity.CallerIdentity;
import dev.semel.gateway.log.AccessLine;
import dev.semel.gateway.quota.QuotaDecision;
import dev.semel.gateway.quota.QuotaUse;
import dev.semel.gateway.stats.Counters.Count;
import dev.semel.http.Admission;
import dev.semel.http.Exchange;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.RequestHead;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.shadow.ShadowExchange;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Decides how a request is handled: passed through, refused, answered from the store, or protected. */
record ProxyHandler(
        LoopContext loop,
        HttpGate gate,
        List<Route> routes,
        CallerIdentity identity,
        Connections connections,
        RequestCheck check)
        implements Handler<HttpServerRequest> {

    private static final int BAD_REQUEST = 400;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int NOT_IMPLEMENTED = 501;

    @Override
    public void handle(HttpServerRequest request) {
        loop.counters().add(Count.REQUESTS);
        AccessLine line = loop.access().begin(request);
        connections.began(request, line::write);
        if (request.method().equals(HttpMethod.CONNECT)) {
            request.response().setStatusCode(NOT_IMPLEMENTED).end();
            return;
        }
        RequestTarget target = RequestTarget.of(request);
        String complaint = check.complaintOf(request, target);
        if (target == null || complaint != null) {
            refuse(request, fallback(), String.valueOf(complaint));
            return;
        }
        Headers.removeClaimedByConnection(request);
        check.removeForgedCaller(request);
        Route route = routeOf(routes, target.path());
        if (route == null) {
            refuse(request, fallback(), "The path of this request can be read in more than one way.");
            return;
        }
        loop.times().watch(request, route);
        line.route(route.operation(), route.keyInPath() ? route.path().text() : null);
        HttpRules rules = route.rules();
        if (rules != null && !rules.isShadow() && RequestCheck.leadsAround(request, rules)) {
            refuse(
                    request,
                    rules.dialect(),
                    "The method that this request names in a header is guarded: send it as the method.");
            return;
        }
        RequestHead head =
                RequestHead.of(request.method().name(), target.path(), target.query(), name -> lines(request, name));
        ShadowExchange shadow = rules == null ? null : gate.shadow(head, rules, -1);
        if (shadow != null) {
            // The request does not wait for the keys that verify its caller: it has a caller if they are there in the
            // end.
            identity.preparation(request);
            pass(request, target, route, new ShadowTap(shadow, identity, request));
            return;
        }
        Admission admission = gate.admit(head, rules);
        if (admission instanceof Exchange exchange) {
            whenPrepared(request, () -> {
                String scope = exchange.callerOf(identity.scopeOf(request));
                if (scope != null) {
                    connections.protect(request);
                }
                ProtectedRequest.start(loop, request, target, exchange, route.timeout(), scope, line);
            });
        } else if (admission instanceof Admission.Refused refused) {
            Answers.write(loop.vertx(), request, refused.answer());
        } else if (admission instanceof Admission.Status status) {
            whenPrepared(request, () -> answerStatus(request, status));
        } else {
            pass(request, target, route, null);
        }
    }

    /** Goes on immediately, or when the keys are there that verify who the caller is; the body waits too. */
    private void whenPrepared(HttpServerRequest request, Runnable next) {
        CompletionStage<?> preparation = identity.preparation(request);
        if (preparation == null) {
            next.run();
            return;
        }
        Context context = loop.vertx().getOrCreateContext();
        request.pause();
        preparation.whenComplete((ready, failure) -> context.runOnContext(now -> {
            if (!request.response().closed()) {
                next.run();
                request.resume();
            }
        }));
    }

    /** The lines of a header; the host also of a request that names it elsewhere, as HTTP/2 does. */
    private static List<String> lines(HttpServerRequest request, String name) {
        return name.equals("Host") && request.authority() != null
                ? List.of(request.authority().toString())
                : request.headers().getAll(name);
    }

    private void refuse(HttpServerRequest request, Dialect dialect, String detail) {
        Answers.write(loop.vertx(), request, dialect.answer(BAD_REQUEST, detail));
    }

    /** The dialect of the route that takes everything, for requests that have no route of their own. */
    private Dialect fallback() {
        return routes.get(routes.size() - 1).dialect();
    }

    private void pass(HttpServerRequest request, RequestTarget target, Route route, @Nullable ShadowTap tap) {
        loop.counters().add(Count.PASSED);
        PassThrough.start(loop, request, target, route, tap);
    }

    /** The route of a path, or {@code null} if services may read the path in ways that have different routes. */
    static @Nullable Route routeOf(List<Route> routes, String path) {
        Route found = null;
        for (List<String> segments : PathReadings.of(path)) {
            Route route = routes.stream()
                    .filter(candidate -> candidate.path().matches(segments))
                    .findFirst()
                    .orElseThrow();
            if (found != null && !found.equals(route)) {
                return null;
            }
            found = route;
        }
        return found;
    }

    private void answerStatus(HttpServerRequest request, Admission.Status status) {
        String scope = identity.scopeOf(request);
        QuotaDecision entry = loop.quotas().look(scope);
        if (entry instanceof QuotaDecision.Over over) {
            Answers.write(
                    loop.vertx(),
                    request,
                    fallback()
                            .answer(TOO_MANY_REQUESTS, over.limit().complaint())
                            .with("Retry-After", Long.toString(over.retryAfter())));
            return;
        }
        Context context = loop.vertx().getOrCreateContext();
        status.lookup()
                .answer(scope)
                .whenComplete((answer, never) -> ((QuotaUse) entry).close())
                .thenAccept(answer -> {
                    if (answer.status() == ProblemType.STORE_UNAVAILABLE.status()) {
                        loop.counters().add(Count.STORE_UNAVAILABLE);
                    }
                    context.runOnContext(now -> Answers.write(loop.vertx(), request, answer));
                });
    }
}
