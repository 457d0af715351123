package dev.semel.gateway.triage;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file from a payment processor or a ledger that says which keys were executed, and finds the keys. A row names
 * a key by its {@code digest}, or by {@code key} and, where two callers have the same, {@code scope}; it says {@code
 * executed} yes or no, or an {@code outcome}. A {@code token} makes it conditional on the key as it was exported.
 */
public final class DecisionFile {

    public static final int MAX_ROWS = 10_000;

    private static final String YES = "|yes|true|1|y|executed|succeeded|";
    private static final String NO = "|no|false|0|n|not executed|released|";

    private final Map<String, List<FoundKey>> byName = new HashMap<>();
    private final Map<String, FoundKey> byDigest = new HashMap<>();
    private final JsonObject response;

    /**
     * The content of one row.
     *
     * @param number of the row, counted from 1
     * @param key the key that it is about, if there is exactly one
     * @param decision without a reason; {@code null} if the row has a problem
     * @param problem the mistake in the row, or {@code null}
     */
    public record Row(
            int number,
            String name,
            @Nullable FoundKey key,
            @Nullable JsonObject decision,
            @Nullable String problem) {}

    /**
     * A reader of rows about these keys.
     *
     * @param response the default response for duplicates of an executed operation: status, contentType, body
     */
    public DecisionFile(List<FoundKey> keys, JsonObject response) {
        this.response = response;
        for (FoundKey each : keys) {
            byDigest.put(each.digest().toString(), each);
            byName.computeIfAbsent(each.key(), name -> new ArrayList<>()).add(each);
        }
    }

    /** The rows of a CSV file; its first row names the columns. */
    public static List<Map<String, String>> csv(String text) {
        List<List<String>> rows = Csv.read(text, MAX_ROWS + 1);
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(
                    "the file is empty: its first row names the columns, such as key,executed");
        }
        List<String> names = rows.get(0).stream()
                .map(name ->
                        name.strip().toLowerCase(Locale.ROOT).replace("-", "").replace("_", ""))
                .toList();
        if (!names.contains("key") && !names.contains("digest")) {
            throw new IllegalArgumentException("the first row must name a column key or digest, got " + names);
        }
        if (!names.contains("executed") && !names.contains("outcome")) {
            throw new IllegalArgumentException("the first row must name a column executed or outcome, got " + names);
        }
        List<Map<String, String>> all = new ArrayList<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            Map<String, String> named = new LinkedHashMap<>();
            for (int i = 0; i < Math.min(names.size(), row.size()); i++) {
                named.put(names.get(i), row.get(i));
            }
            all.add(named);
        }
        return all;
    }

    /** The rows of a JSON array of objects. */
    public static List<Map<String, String>> json(JsonArray rows) {
        if (rows.size() > MAX_ROWS) {
            throw new IllegalArgumentException("there are more than " + MAX_ROWS + " rows: split them");
        }
        return rows.stream()
                .map(row -> ((JsonObject) row)
                        .stream()
                                .filter(each -> each.getValue() != null)
                                .collect(Collectors.toMap(
                                        each -> each.getKey().toLowerCase(Locale.ROOT),
                                        each -> each.getValue().toString())))
                .toList();
    }

    public List<Row> read(List<Map<String, String>> rows) {
        List<Row> read = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (Map<String, String> row : rows) {
            Row next = read(read.size() + 1, row);
            Integer before = next.key() == null
                    ? null
                    : seen.putIfAbsent(next.key().digest().toString(), next.number());
            read.add(
                    before == null
                            ? next
                            : new Row(
                                    next.number(),
                                    next.name(),
                                    next.key(),
                                    null,
                                    "row " + before + " is about the same key"));
        }
        return read;
    }

    private Row read(int number, Map<String, String> row) {
        String digest = given(row, "digest");
        String name = given(row, "key");
        String shown = name == null ? String.valueOf(digest) : name;
        try {
            FoundKey key = find(digest, name, given(row, "scope"));
            return new Row(number, shown, key, decision(row, key), null);
        } catch (IllegalArgumentException e) {
            return new Row(number, shown, null, null, String.valueOf(e.getMessage()));
        }
    }

    private FoundKey find(@Nullable String digest, @Nullable String name, @Nullable String scope) {
        if (digest != null) {
            FoundKey key = byDigest.get(digest.toLowerCase(Locale.ROOT));
            if (key == null) {
                throw new IllegalArgumentException("no key with this digest is unknown or lapsed");
            }
            return key;
        }
        if (name == null) {
            throw new IllegalArgumentException("the row names no key");
        }
        List<FoundKey> keys = byName.getOrDefault(name, List.of()).stream()
                .filter(key -> scope == null || scope.equals(key.scope()))
                .toList();
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("no such key is unknown or lapsed");
        }
        if (keys.size() > 1) {
            throw new IllegalArgumentException(
                    keys.size() + " callers have this key: add a column scope, or digest, to say which");
        }
        return keys.get(0);
    }

    private JsonObject decision(Map<String, String> row, FoundKey key) {
        String outcome = outcome(row);
        String token = given(row, "token");
        if (token != null && !token.equals(Long.toString(key.token()))) {
            throw new IllegalArgumentException("the key has changed since it was exported");
        }
        JsonObject decision = new JsonObject()
                .put("digest", key.digest().toString())
                .put("token", Long.toString(key.token()))
                .put("outcome", outcome);
        if (outcome.equals("succeeded")) {
            String status = given(row, "status");
            String body = given(row, "body");
            decision.put("status", status == null ? response.getInteger("status") : Integer.valueOf(status))
                    .put("contentType", given(row, "contenttype", response.getString("contentType")))
                    .put("body", body == null ? response.getString("body") : body);
        }
        return decision;
    }

    private static String outcome(Map<String, String> row) {
        String said = given(row, "outcome", given(row, "executed"));
        if (said == null) {
            throw new IllegalArgumentException("the row does not say whether it was executed");
        }
        String word = "|" + said.toLowerCase(Locale.ROOT) + "|";
        if (word.equals("|failed|")) {
            return "failed";
        }
        if (YES.contains(word)) {
            return "succeeded";
        }
        if (NO.contains(word)) {
            return "released";
        }
        throw new IllegalArgumentException(
                "executed must be yes or no, or outcome succeeded, failed or released; got \""
                        + said.substring(0, Math.min(said.length(), 50)) + "\"");
    }

    private static @Nullable String given(Map<String, String> row, String name) {
        return given(row, name, null);
    }

    private static @Nullable String given(Map<String, String> row, String name, @Nullable String otherwise) {
        String value = row.get(name);
        return value == null || value.isBlank() ? otherwise : value.strip();
    }
}
