package dev.semel.gateway.admin;

import dev.semel.KeyDigest;
import dev.semel.gateway.triage.KeyFile;
import dev.semel.gateway.triage.KeyJson;
import dev.semel.gateway.triage.KeySearch;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
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
    private static final int MOST_SEARCHED = 2_000;
    private static final String URN = "urn:semel:key:";

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
        return restrict(KeyQuery.builder(limit(request)), request)
                .cursor(given(request, "cursor"))
                .build();
    }

    private static int limit(HttpServerRequest request) {
        return Math.min(MAX_LIMIT, number(request, "limit", DEFAULT_LIMIT));
    }

    private static int number(HttpServerRequest request, String name, int otherwise) {
        String text = given(request, name);
        if (text == null) {
            return otherwise;
        }
        if (!text.matches("[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException(name + " must be a number of at least 1, got \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }

    /** The filter of the request, without page and limit. */
    private static KeyQuery.Builder restrict(KeyQuery.Builder query, HttpServerRequest request) {
        String state = given(request, "state");
        return query.state(state == null ? null : KeySearch.state(state))
                .operation(given(request, "operation"))
                .scope(given(request, "scope"))
                .value(given(request, "key"))
                .text(text(request))
                .claimedFrom(time(request, "from"))
                .claimedBefore(time(request, "to"));
    }

    /** A pasted search text, which may be a key as problem details name it. */
    private static @Nullable String text(HttpServerRequest request) {
        String text = given(request, "q");
        return text != null && text.startsWith(URN) ? text.substring(URN.length()) : text;
    }

    private static @Nullable Instant time(HttpServerRequest request, String name) {
        String text = given(request, name);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    name + " must be a time such as 2026-01-31T12:00:00Z, got \"" + text + "\"", e);
        }
    }

    /** The keys that were found, latest first, and their number. */
    void search(HttpServerRequest request) {
        checked(request, () -> {
            int limit = limit(request);
            long skipped = (long) limit * (number(request, "page", 1) - 1);
            collect(request, MOST_SEARCHED, KeySearch.PATIENCE, found -> {
                JsonArray keys = new JsonArray();
                found.keys().stream().skip(skipped).limit(limit).forEach(each -> keys.add(each.json()));
                Json.write(
                        request,
                        200,
                        new JsonObject()
                                .put("total", found.keys().size())
                                .put("complete", found.complete())
                                .put("keys", keys));
            });
        });
    }

    /** Everything that was found, as a file. */
    void export(HttpServerRequest request) {
        boolean csv = "csv".equals(request.getParam("format"));
        checked(
                request,
                () -> collect(
                        request,
                        KeySearch.MOST_EXPORTED,
                        KeySearch.EXPORT_PATIENCE,
                        found -> request.response()
                                .putHeader("Content-Type", csv ? "text/csv; charset=utf-8" : "application/json")
                                .putHeader(
                                        "Content-Disposition",
                                        "attachment; filename=\"semel-keys." + (csv ? "csv" : "json") + "\"")
                                .putHeader("Semel-Complete", Boolean.toString(found.complete()))
                                .end(csv ? KeyFile.csv(found.keys()) : KeyFile.json(found.keys()))));
    }

    private static void checked(HttpServerRequest request, Runnable answer) {
        try {
            answer.run();
        } catch (IllegalArgumentException e) {
            Json.problem(request, 400, "Not a valid query", String.valueOf(e.getMessage()));
        }
    }

    private void collect(HttpServerRequest request, int most, Duration patience, Consumer<KeySearch.Found> next) {
        if (store == null) {
            cannotInspect(request);
        } else {
            KeyQuery.Builder query = restrict(KeySearch.query(), request);
            when(request, KeySearch.collect(store, query, most, patience), next);
        }
    }

    static @Nullable String given(HttpServerRequest request, String name) {
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
        Json.problem(request, 501, "Not supported", "This store cannot list keys.");
    }

    /** Passes the store's answer on, on the request's event loop. */
    static <T> void when(HttpServerRequest request, CompletionStage<T> answer, Consumer<T> next) {
        Context context = Vertx.currentContext();
        answer.whenComplete((value, failure) -> context.runOnContext(now -> {
            if (failure == null) {
                next.accept(value);
            } else {
                log.warn("the store did not answer the admin API: {}", String.valueOf(failure.getMessage()));
                log.debug("the cause of the line before", failure);
                Json.problem(request, 503, "Store not available", "The store did not answer. Try again.");
            }
        }));
    }
}
