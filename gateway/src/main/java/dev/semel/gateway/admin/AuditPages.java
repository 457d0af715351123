package dev.semel.gateway.admin;

import dev.semel.gateway.triage.Csv;
import dev.semel.gateway.triage.KeyJson;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.DecisionLog.Entry;
import dev.semel.spi.KeyStore;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows the log of decisions. */
final class AuditPages {

    private static final int DEFAULT_LIMIT = 50;
    private static final List<String> COLUMNS = List.of(
            "id", "at", "by", "address", "action", "subject", "operation", "token", "before", "after", "reason");

    private final @Nullable DecisionLog log;

    AuditPages(KeyStore store) {
        this.log = KeyStore.capability(store, DecisionLog.class).orElse(null);
    }

    void page(HttpServerRequest request) {
        if (log == null) {
            Json.problem(
                    request,
                    501,
                    "Not supported",
                    "This store keeps no decisions. They are in the log of each gateway, under dev.semel.audit.");
            return;
        }
        try {
            boolean csv = "csv".equals(request.getParam("format"));
            int limit =
                    (int) number(request, "limit", csv ? DecisionLog.MAX_LIMIT : DEFAULT_LIMIT, DecisionLog.MAX_LIMIT);
            long before = number(request, "before", 0, Long.MAX_VALUE);
            KeyPages.when(
                    request,
                    log.entries(KeyPages.given(request, "subject"), before, limit),
                    entries -> answer(request, entries, csv, entries.size() == limit));
        } catch (IllegalArgumentException e) {
            Json.problem(request, 400, "Not a valid query", String.valueOf(e.getMessage()));
        }
    }

    private static long number(HttpServerRequest request, String name, long otherwise, long most) {
        String text = KeyPages.given(request, name);
        if (text == null) {
            return otherwise;
        }
        if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) > most) {
            throw new IllegalArgumentException(name + " must be a number up to " + most + ", got \"" + text + "\"");
        }
        return Long.parseLong(text);
    }

    private static void answer(HttpServerRequest request, List<Entry> entries, boolean csv, boolean more) {
        Long next = more ? entries.get(entries.size() - 1).id() : null;
        if (csv) {
            StringBuilder text = new StringBuilder(Csv.line(COLUMNS));
            for (Entry each : entries) {
                JsonObject json = json(each);
                text.append(Csv.line(COLUMNS.stream()
                        .map(name -> json.getValue(name) == null
                                ? ""
                                : json.getValue(name).toString())
                        .toList()));
            }
            if (next != null) {
                request.response().putHeader("Semel-Next", next.toString());
            }
            request.response()
                    .putHeader("Content-Type", "text/csv; charset=utf-8")
                    .putHeader("Content-Disposition", "attachment; filename=\"semel-audit.csv\"")
                    .end(text.toString());
            return;
        }
        JsonArray all = new JsonArray();
        entries.forEach(each -> all.add(json(each)));
        Json.write(
                request, 200, new JsonObject().put("entries", all).put("next", next == null ? null : next.toString()));
    }

    private static JsonObject json(Entry each) {
        return new JsonObject()
                .put("id", Long.toString(each.id()))
                .put("at", KeyJson.time(each.at()))
                .put("by", each.by().name())
                .put("address", each.by().address())
                .put("action", each.action())
                .put("subject", each.subject())
                .put("operation", each.operation())
                .put("token", each.token() == 0 ? null : Long.toString(each.token()))
                .put("before", each.before())
                .put("after", each.after())
                .put("reason", each.reason());
    }
}
