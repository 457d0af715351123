package dev.semel.cli;

import dev.semel.Outcome;
import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.triage.Decision;
import dev.semel.gateway.triage.DecisionRequest;
import dev.semel.gateway.triage.FoundKey;
import dev.semel.gateway.triage.KeySearch;
import dev.semel.gateway.triage.OperatorDecisions.Answer;
import dev.semel.gateway.triage.OperatorDecisions.Result;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyState;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The keys of a gateway, through its admin API: you need no database credentials. */
final class RemoteKeys implements BulkDecision.Target {

    static final String TOKEN = "SEMEL_ADMIN_TOKEN";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PAGE = 200;
    private static final int DIGEST = 32;
    private static final int MOST_AT_ONCE = 1_000;
    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final String address;
    private final @Nullable String token;

    /** @param address that of the console, such as {@code http://127.0.0.1:8081} */
    RemoteKeys(String address, @Nullable String token) {
        if (!address.matches("https?://[^?#]+")) {
            throw new ConfigException(
                    "--gateway: expected the address of its console, such as http://127.0.0.1:8081, got \"" + address
                            + "\"");
        }
        this.address = address.replaceFirst("/+$", "");
        this.token = token;
    }

    /** The filter for the list of keys; {@code null} means any. */
    record Conditions(
            @Nullable KeyState state,
            @Nullable String operation,
            @Nullable String scope,
            @Nullable String key,
            @Nullable String text,
            @Nullable Instant from,
            @Nullable Instant before) {

        Conditions(@Nullable KeyState state, @Nullable String operation, @Nullable String scope, @Nullable String key) {
            this(state, operation, scope, key, null, null, null);
        }

        private static Conditions of(@Nullable KeyState state, KeyQuery query) {
            return new Conditions(
                    state,
                    query.operation(),
                    query.scope(),
                    query.value(),
                    query.text(),
                    query.claimedFrom(),
                    query.claimedBefore());
        }

        private String query(@Nullable String cursor) {
            return "limit=" + PAGE
                    + parameter("state", state == null ? null : state.name().toLowerCase(Locale.ROOT))
                    + parameter("operation", operation)
                    + parameter("scope", scope)
                    + parameter("key", key)
                    + parameter("q", text)
                    + parameter("from", from == null ? null : from.toString())
                    + parameter("to", before == null ? null : before.toString())
                    + parameter("cursor", cursor);
        }

        private static String parameter(String name, @Nullable String value) {
            return value == null ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
        }
    }

    int list(KeysOptions common, Conditions conditions, int limit) throws Exception {
        common.printHead();
        int left = limit;
        JsonObject page;
        String cursor = null;
        do {
            page = get("/api/keys?" + conditions.query(cursor));
            JsonArray keys = page.getJsonArray("keys");
            for (int i = 0; i < keys.size() && left > 0; i++, left--) {
                common.print(keys.getJsonObject(i));
            }
            cursor = page.getString("next");
        } while (left > 0 && cursor != null);
        common.out().flush();
        return 0;
    }

    /** The whole story of the key with this digest, or of the only one whose digest begins so. */
    JsonObject story(String digest) throws Exception {
        if (digest.length() >= DIGEST || !digest.matches("[0-9a-f]{6,}")) {
            return get("/api/keys/" + URLEncoder.encode(digest, StandardCharsets.UTF_8));
        }
        List<String> found = get("/api/search?limit=" + PAGE + "&q=" + digest).getJsonArray("keys").stream()
                .map(key -> ((JsonObject) key).getString("digest"))
                .filter(each -> each.startsWith(digest))
                .toList();
        if (found.isEmpty()) {
            throw new NoSuchKeyException("there is no key that begins with " + digest + " (" + address + ")");
        }
        if (found.size() > 1) {
            throw new IOException("more than one key begins with " + digest + ", for example " + found.get(0) + " and "
                    + found.get(1) + "; give more digits");
        }
        return get("/api/keys/" + found.get(0));
    }

    @Override
    public KeySearch.Found find(KeyWhere where, int most) throws Exception {
        List<FoundKey> found = new ArrayList<>();
        boolean complete = true;
        for (KeyState state : where.states()) {
            String cursor = null;
            do {
                JsonObject page = get(
                        "/api/keys?" + Conditions.of(state, where.conditions()).query(cursor));
                page.getJsonArray("keys").forEach(key -> found.add(FoundKey.of((JsonObject) key)));
                cursor = page.getString("next");
            } while (cursor != null && found.size() <= most);
            complete &= cursor == null;
        }
        found.sort(Comparator.comparing(FoundKey::claimedAt).reversed());
        boolean cut = found.size() > most;
        return new KeySearch.Found(cut ? found.subList(0, most) : found, complete && !cut);
    }

    @Override
    public List<Answer> decide(List<DecisionRequest> decisions) throws Exception {
        List<Answer> answers = new ArrayList<>();
        for (int from = 0; from < decisions.size(); from += MOST_AT_ONCE) {
            Map<String, DecisionRequest> sent = new LinkedHashMap<>();
            JsonArray all = new JsonArray();
            for (DecisionRequest each : decisions.subList(from, Math.min(decisions.size(), from + MOST_AT_ONCE))) {
                sent.put(each.digest().toString(), each);
                all.add(json(each.decision())
                        .put("digest", each.digest().toString())
                        .put("token", Long.toString(each.token())));
            }
            JsonArray results = post("/api/decisions", new JsonObject().put("decisions", all))
                    .getJsonArray("results");
            for (int i = 0; i < results.size(); i++) {
                JsonObject result = results.getJsonObject(i);
                answers.add(new Answer(
                        Objects.requireNonNull(sent.get(result.getString("digest"))),
                        Result.parse(result.getString("result"))));
            }
        }
        return answers;
    }

    /** The clock of the gateway. */
    Instant now() throws Exception {
        return Instant.parse(get("/api/overview").getString("at"));
    }

    JsonObject stats() throws Exception {
        JsonObject overview = get("/api/overview");
        JsonObject keys = overview.getJsonObject("keys");
        if (keys == null) {
            throw new IOException("the gateway at " + address + " has not heard from its store yet");
        }
        return keys.put("exact", overview.getValue("keysExact"))
                .put("purgeLagMillis", overview.getValue("purgeLag"))
                .put("bytes", overview.getValue("bytes"));
    }

    /** Sends a decision. The gateway checks again whether it is allowed, and records who sent it. */
    int decide(KeysOptions common, String digest, Decision decision, boolean yes) throws Exception {
        JsonObject key = story(digest);
        if (!yes) {
            KeyLines.printStory(common.out(), key, now());
            if (!KeysCommand.confirmed(common.out(), "resolve it as " + decision.name() + "?")) {
                return 1;
            }
        }
        JsonObject answer = post(
                "/api/keys/" + key.getString("digest") + "/resolve",
                json(decision).put("token", key.getString("token")));
        return answer.getBoolean("resolved", true)
                ? common.end(0, "key " + key.getString("digest") + " is now " + decision.name())
                : common.end(1, "proposed: it is applied when a second person decides the same within a day");
    }

    private static JsonObject json(Decision decision) {
        JsonObject json = new JsonObject().put("outcome", decision.name()).put("reason", decision.reason());
        Outcome outcome = decision.outcome();
        if (outcome != null && outcome.status() != Outcome.NO_STATUS) {
            json.put("status", outcome.status());
        }
        if (outcome != null) {
            json.put("contentType", outcome.contentType())
                    .put("body", new String(outcome.requirePayload(), StandardCharsets.UTF_8));
        }
        return json;
    }

    private JsonObject get(String path) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(address + path)).GET());
    }

    private JsonObject send(HttpRequest.Builder request) throws Exception {
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> response;
        try {
            response = client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException("the gateway at " + address + " does not answer: " + e.getMessage(), e);
        }
        if (response.statusCode() == OK || response.statusCode() == ACCEPTED) {
            return new JsonObject(response.body());
        }
        String detail = detail(response.body());
        if (response.statusCode() == NOT_FOUND) {
            throw new NoSuchKeyException(detail + " (" + address + ")");
        }
        throw new IOException("the gateway at " + address + " answered " + response.statusCode() + ": " + detail
                + (response.statusCode() == UNAUTHORIZED ? " Set " + TOKEN + "." : ""));
    }

    private static String detail(String body) {
        try {
            return String.valueOf(new JsonObject(body).getString("detail"));
        } catch (DecodeException | ClassCastException e) {
            return body.lines().findFirst().orElse("");
        }
    }

    private JsonObject post(String path, JsonObject body) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(address + path))
                .header("Content-Type", "application/json")
                .header("Semel-Console", "1")
                .POST(BodyPublishers.ofString(body.encode())));
    }
}
