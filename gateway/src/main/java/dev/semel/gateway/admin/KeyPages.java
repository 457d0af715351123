package dev.semel.gateway.admin;

import dev.semel.KeyDigest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyState;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows keys: a page of them, or one with its whole story. */
record KeyPages(@Nullable Inspecting store) {

    private static final Logger log = LoggerFactory.getLogger(KeyPages.class);
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 200;

    void page(HttpServerRequest request) {
        if (store == null) {
            cannotInspect(request);
            return;
        }
        try {
            when(request, store.page(query(request)), page -> Json.write(request, 200, json(page)));
        } catch (IllegalArgumentException e) {
            Json.problem(request, 400, "Not a valid query", String.valueOf(e.getMessage()));
        }
    }

    private static KeyQuery query(HttpServerRequest request) {
        String state = given(request, "state");
        String limit = given(request, "limit");
        return KeyQuery.builder(limit == null ? DEFAULT_LIMIT : Math.min(MAX_LIMIT, Integer.parseInt(limit)))
                .state(state == null ? null : state(state))
                .operation(given(request, "operation"))
                .scope(given(request, "scope"))
                .value(given(request, "key"))
                .cursor(given(request, "cursor"))
                .build();
    }

    private static KeyState state(String text) {
        try {
            return KeyState.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "state must be pending, lapsed, unknown, succeeded, failed or expired, got \"" + text + "\"", e);
        }
    }

    private static @Nullable String given(HttpServerRequest request, String name) {
        String value = request.getParam(name);
        return value == null || value.isEmpty() ? null : value;
    }

    private static JsonObject json(KeyPage page) {
        JsonArray keys = new JsonArray();
        page.records().forEach(each -> keys.add(KeyJson.summary(each)));
        return new JsonObject().put("keys", keys).put("next", page.next());
    }

    void one(HttpServerRequest request, String digest) {
        if (store == null) {
            cannotInspect(request);
            return;
        }
        try {
            when(
                    request,
                    store.find(KeyDigest.parse(digest)),
                    found -> found.ifPresentOrElse(
                            each -> Json.write(request, 200, KeyJson.story(each)), () -> noSuchKey(request)));
        } catch (IllegalArgumentException e) {
            Json.problem(request, 400, "Not a key digest", String.valueOf(e.getMessage()));
        }
    }

    static void noSuchKey(HttpServerRequest request) {
        Json.problem(request, 404, "No such key", "The store has no key with this digest.");
    }

    static void cannotInspect(HttpServerRequest request) {
        Json.problem(request, 501, "Not supported", "This store cannot be looked into.");
    }

    /** Goes on, on the request's event loop, with what the store answers. */
    static <T> void when(HttpServerRequest request, CompletionStage<T> answer, Consumer<T> next) {
        Context context = Vertx.currentContext();
        answer.whenComplete((value, failure) -> context.runOnContext(now -> {
            if (failure == null) {
                next.accept(value);
            } else {
                log.warn("the store did not answer the admin API", failure);
                Json.problem(request, 503, "Store not available", "The store did not answer. Try again.");
            }
        }));
    }
}
