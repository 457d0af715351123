package dev.semel.gateway.triage;

import dev.semel.KeyDigest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Locale;

/**
 * A key in a list: small, even if its response is large.
 *
 * @param json its JSON in the list of keys
 */
public record FoundKey(
        KeyDigest digest, String key, String scope, long token, KeyState state, Instant claimedAt, JsonObject json) {

    static FoundKey of(KeyRecord each) {
        return new FoundKey(
                each.key().digest(),
                each.key().value(),
                each.key().scope(),
                each.token(),
                each.state(),
                each.claimedAt(),
                KeyJson.summary(each));
    }

    /** A key as the admin API lists it. */
    public static FoundKey of(JsonObject json) {
        return new FoundKey(
                KeyDigest.parse(json.getString("digest")),
                json.getString("key"),
                json.getString("scope"),
                Long.parseLong(json.getString("token")),
                KeyState.valueOf(json.getString("state").toUpperCase(Locale.ROOT)),
                Instant.parse(json.getString("claimedAt")),
                json);
    }

    public boolean isResolvable() {
        return state == KeyState.UNKNOWN || state == KeyState.LAPSED;
    }
}
