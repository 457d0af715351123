package dev.semel.gateway.admin;

import dev.semel.erasure.Erasure;
import dev.semel.gateway.access.Visitor;
import dev.semel.gateway.triage.OperatorDecisions;
import dev.semel.http.Scopes;
import dev.semel.spi.DecisionLog.Person;
import dev.semel.spi.Erasing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.util.Threads;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Erases all records of a scope, on behalf of a person; one scope at a time. */
final class ScopeErasures {

    private static final int MAX_REASON = 500;

    private final KeyStore store;
    private final OperatorDecisions decisions;
    private final AtomicBoolean underWay = new AtomicBoolean();

    ScopeErasures(KeyStore store, OperatorDecisions decisions) {
        this.store = store;
        this.decisions = decisions;
    }

    void erase(HttpServerRequest request, Visitor by) {
        AdminRequestBody.read(request, body -> erase(request, by, body));
    }

    private void erase(HttpServerRequest request, Visitor by, Buffer body) {
        String scope;
        String reason;
        try {
            scope = body.toJsonObject().getString("scope");
            reason = body.toJsonObject().getString("reason");
        } catch (DecodeException | ClassCastException e) {
            Json.problem(request, 400, "Not a valid erasure", String.valueOf(e.getMessage()));
            return;
        }
        if (scope == null || scope.isEmpty()) {
            Json.problem(
                    request,
                    400,
                    "Not a valid erasure",
                    "scope is missing: name the caller whose records must be erased.");
        } else if (!canErase()) {
            Json.problem(request, 501, "Not supported", "This store cannot erase records before they expire.");
        } else if (reason == null || reason.isBlank() || reason.length() > MAX_REASON) {
            Json.problem(
                    request,
                    400,
                    "Not a valid erasure",
                    "A reason of 1 to " + MAX_REASON + " characters is needed: it is kept in the audit.");
        } else {
            KeyPages.when(
                    request,
                    decisions.mayErase(scope, by.person(), reason),
                    agreed -> erase(request, by.person(), scope, agreed));
        }
    }

    private void erase(HttpServerRequest request, Person by, String scope, @Nullable String reason) {
        if (reason == null) {
            Json.write(request, 202, new JsonObject().put("proposed", true));
        } else if (underWay.compareAndSet(false, true)) {
            KeyPages.when(request, start(scope, by, reason), erased -> answer(request, erased));
        } else {
            Json.problem(request, 409, "An erasure is under way", "Try again when it has ended.");
        }
    }

    private boolean canErase() {
        return KeyStore.capability(store, Erasing.class).isPresent()
                && KeyStore.capability(store, Inspecting.class).isPresent();
    }

    /** On its own thread: it reads all keys of the store. */
    private CompletableFuture<Erasure.Erased> start(String scope, Person by, String reason) {
        return CompletableFuture.supplyAsync(
                        () -> Scopes.stored(scope).stream()
                                .map(stored -> Erasure.ofScope(store, stored, by, reason))
                                .reduce(new Erasure.Erased(0, 0), Erasure.Erased::and),
                        work -> Threads.daemons("semel-erasure").newThread(work).start())
                .whenComplete((erased, failure) -> underWay.set(false));
    }

    private static void answer(HttpServerRequest request, Erasure.Erased erased) {
        Json.write(
                request, 200, new JsonObject().put("removed", erased.removed()).put("left", erased.left()));
    }
}
