package dev.semel.gateway.admin;

import dev.semel.KeyDigest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Decides over keys whose outcome nobody knows, on behalf of a person. */
record KeyResolutions(@Nullable Inspecting store) {

    void resolve(HttpServerRequest request, String digest) {
        AdminRequestBody.read(request, body -> decide(request, digest, body));
    }

    private void decide(HttpServerRequest request, String text, Buffer body) {
        if (store == null) {
            KeyPages.cannotInspect(request);
            return;
        }
        try {
            KeyDigest digest = KeyDigest.parse(text);
            JsonObject json = body.toJsonObject();
            Decision decision = decision(json);
            long token = token(json.getValue("token"));
            Inspecting inspecting = store;
            KeyPages.when(
                    request,
                    inspecting.find(digest),
                    found -> found.ifPresentOrElse(
                            each -> apply(request, inspecting, each, token, decision),
                            () -> KeyPages.noSuchKey(request)));
        } catch (IllegalArgumentException | DecodeException | ClassCastException e) {
            Json.problem(request, 400, "Not a valid decision", String.valueOf(e.getMessage()));
        }
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

    private static Decision decision(JsonObject json) {
        return Decision.of(
                json.getString("outcome"),
                json.getString("reason"),
                json.getInteger("status"),
                json.getString("contentType"),
                json.getString("body"));
    }

    private void apply(
            HttpServerRequest request, Inspecting inspecting, KeyRecord each, long token, Decision decision) {
        KeyPages.when(request, decision.apply(inspecting, each, token, "console"), result -> {
            switch (result) {
                case APPLIED -> Json.write(request, 200, new JsonObject().put("resolved", true));
                case MOVED_ON ->
                    Json.problem(
                            request,
                            409,
                            "The key has moved on",
                            "It is not lapsed or unknown any more, or another attempt owns it. Look again.");
                case HELD_FIRST ->
                    Json.problem(
                            request,
                            409,
                            "The key is held now",
                            "It was lapsed, so its owner could still have started the operation. From now on nobody can."
                                    + " Check again whether the operation took effect, then decide again.");
            }
        });
    }
}
