package dev.semel.gateway.admin;

import dev.semel.KeyDigest;
import dev.semel.gateway.access.Visitor;
import dev.semel.gateway.triage.Decision;
import dev.semel.gateway.triage.DecisionFile;
import dev.semel.gateway.triage.DecisionRequest;
import dev.semel.gateway.triage.FoundKey;
import dev.semel.gateway.triage.KeySearch;
import dev.semel.gateway.triage.OperatorDecisions;
import dev.semel.gateway.triage.OperatorDecisions.Answer;
import dev.semel.gateway.triage.OperatorDecisions.Result;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyState;
import dev.semel.util.Threads;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Resolves keys on behalf of a person: one, or many at once. */
final class KeyResolutions {

    private static final int MOST_AT_ONCE = 1_000;
    private static final String INVALID = "Not a valid decision";

    private final @Nullable Inspecting store;
    private final OperatorDecisions decisions;
    private final AtomicBoolean manyUnderWay = new AtomicBoolean();

    KeyResolutions(@Nullable Inspecting store, OperatorDecisions decisions) {
        this.store = store;
        this.decisions = decisions;
    }

    /** A handler for the JSON of a request. */
    private interface Step {
        void with(Inspecting inspecting, JsonObject json);
    }

    private void read(HttpServerRequest request, Step step) {
        AdminRequestBody.read(request, body -> {
            if (store == null) {
                KeyPages.cannotInspect(request);
                return;
            }
            try {
                step.with(store, body.toJsonObject());
            } catch (IllegalArgumentException | DecodeException | ClassCastException e) {
                Json.problem(request, 400, INVALID, String.valueOf(e.getMessage()));
            }
        });
    }

    void resolve(HttpServerRequest request, Visitor by, String digest) {
        read(request, (inspecting, json) -> {
            DecisionRequest decision = decision(json, KeyDigest.parse(digest), json.getString("reason"));
            KeyPages.when(
                    request,
                    inspecting.find(decision.digest()),
                    found -> found.ifPresentOrElse(
                            each -> KeyPages.when(
                                    request,
                                    decisions.decide(decision, by.person()),
                                    result -> answer(request, result)),
                            () -> KeyPages.noSuchKey(request)));
        });
    }

    private static DecisionRequest decision(JsonObject json, KeyDigest digest, @Nullable String reason) {
        Decision decision = Decision.of(
                json.getString("outcome"),
                reason,
                json.getInteger("status"),
                json.getString("contentType"),
                json.getString("body"));
        return new DecisionRequest(digest, token(json.getValue("token")), decision);
    }

    /** Text, as it is given out; also a number, which is what a script may make of it. */
    private static long token(@Nullable Object given) {
        if (given == null) {
            throw new IllegalArgumentException("token is missing: send the one that you have seen");
        }
        try {
            return Long.parseLong(given.toString());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("token must be a whole number, got \"" + given + "\"", e);
        }
    }

    private static void answer(HttpServerRequest request, Result result) {
        switch (result) {
            case APPLIED -> Json.write(request, 200, new JsonObject().put("resolved", true));
            case PROPOSED ->
                Json.write(request, 202, new JsonObject().put("resolved", false).put("proposed", true));
            case HELD_FIRST ->
                Json.problem(
                        request,
                        409,
                        "The key is held now",
                        "It was lapsed, so its owner could still have started the operation. From now on it cannot."
                                + " Check again whether the operation took effect, then decide again.");
            default ->
                Json.problem(
                        request,
                        409,
                        "The key has changed",
                        "It is not lapsed or unknown any more, or another attempt owns it. Look again.");
        }
    }

    /** Applies many decisions, each conditional on the token that it names. */
    void resolveMany(HttpServerRequest request, Visitor by) {
        read(request, (inspecting, json) -> {
            List<DecisionRequest> requests = requests(json);
            if (!manyUnderWay.compareAndSet(false, true)) {
                Json.problem(request, 409, "Decisions are under way", "Try again when they have ended.");
                return;
            }
            KeyPages.when(request, start(requests, by), answers -> Json.write(request, 200, json(answers)));
        });
    }

    /** On its own thread: it waits for the store after each. */
    private CompletionStage<List<Answer>> start(List<DecisionRequest> requests, Visitor by) {
        return CompletableFuture.supplyAsync(
                        () -> decisions.decideAll(requests, by.person()),
                        work -> Threads.daemons("semel-decisions")
                                .newThread(work)
                                .start())
                .whenComplete((answers, failure) -> manyUnderWay.set(false));
    }

    /** All of them are checked before the first is applied. */
    private static List<DecisionRequest> requests(JsonObject json) {
        JsonArray all = json.getJsonArray("decisions");
        if (all == null || all.isEmpty() || all.size() > MOST_AT_ONCE) {
            throw new IllegalArgumentException("decisions must have 1 to " + MOST_AT_ONCE + " elements, got "
                    + (all == null ? 0 : all.size()) + ": send several requests");
        }
        List<DecisionRequest> requests = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            try {
                JsonObject each = all.getJsonObject(i);
                KeyDigest digest = KeyDigest.parse(String.valueOf(each.getString("digest")));
                requests.add(decision(each, digest, each.getString("reason", json.getString("reason"))));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("decision " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        return requests;
    }

    private static JsonObject json(List<Answer> answers) {
        JsonArray results = new JsonArray();
        int applied = 0;
        for (Answer each : answers) {
            applied += each.result() == Result.APPLIED ? 1 : 0;
            results.add(new JsonObject()
                    .put("digest", each.request().digest().toString())
                    .put("outcome", each.request().decision().name())
                    .put("result", each.result().toString()));
        }
        return new JsonObject().put("applied", applied).put("results", results);
    }

    /** Shows the decisions that a file would make, without applying them. */
    void preview(HttpServerRequest request) {
        read(request, (inspecting, json) -> {
            String csv = json.getString("csv");
            JsonArray given = json.getJsonArray("rows");
            List<Map<String, String>> rows =
                    csv != null ? DecisionFile.csv(csv) : DecisionFile.json(given == null ? new JsonArray() : given);
            JsonObject response = json.getJsonObject("response", new JsonObject());
            CompletionStage<JsonObject> read = undecided(inspecting, KeyState.UNKNOWN)
                    .thenCombine(undecided(inspecting, KeyState.LAPSED), (unknown, lapsed) -> {
                        List<FoundKey> keys = new ArrayList<>(unknown.keys());
                        keys.addAll(lapsed.keys());
                        return preview(new DecisionFile(keys, response).read(rows))
                                .put("complete", unknown.complete() && lapsed.complete());
                    });
            KeyPages.when(request, read, answer -> Json.write(request, 200, answer));
        });
    }

    private static CompletionStage<KeySearch.Found> undecided(Inspecting inspecting, KeyState state) {
        return KeySearch.collect(
                inspecting, KeySearch.query().state(state), KeySearch.MOST_EXPORTED, KeySearch.EXPORT_PATIENCE);
    }

    private static JsonObject preview(List<DecisionFile.Row> rows) {
        JsonArray shown = new JsonArray();
        int ready = 0;
        for (DecisionFile.Row each : rows) {
            ready += each.problem() == null ? 1 : 0;
            shown.add(new JsonObject()
                    .put("row", each.number())
                    .put("name", each.name())
                    .put("key", each.key() == null ? null : each.key().json())
                    .put("decision", each.decision())
                    .put("problem", each.problem()));
        }
        return new JsonObject().put("ready", ready).put("rows", shown);
    }
}
