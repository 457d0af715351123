package dev.semel.gateway.admin;

import dev.semel.gateway.config.CallerLimits;
import dev.semel.gateway.quota.CallerUse;
import dev.semel.gateway.quota.Quotas;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** The callers that take most of their limits, in JSON, and those limits. */
final class CallersJson {

    private static final int SHOWN = 10;

    private CallersJson() {}

    static JsonObject of(Quotas quotas, CallerLimits limits) {
        JsonArray top = new JsonArray();
        quotas.top(SHOWN).stream().map(CallersJson::caller).forEach(top::add);
        return new JsonObject()
                .put("remembered", quotas.size())
                .put(
                        "limits",
                        new JsonObject()
                                .put("inFlight", limit(limits.inFlight()))
                                .put("perSecond", limit(limits.perSecond()))
                                .put("bufferedBytes", limit(limits.buffered()))
                                .put("keys", limit(limits.keys()))
                                .put("bytes", limit(limits.bytes()))
                                .put("unknown", limit(limits.unknown())))
                .put("top", top);
    }

    private static @Nullable Long limit(long limit) {
        return limit == 0 ? null : limit;
    }

    private static JsonObject caller(CallerUse use) {
        return new JsonObject()
                .put("scope", use.caller())
                .put("share", Math.round(use.share() * 1000) / 1000.0)
                .put("inFlight", use.inFlight())
                .put("bufferedBytes", use.buffered())
                .put("requests", use.requests())
                .put("refused", use.refused())
                .put("keys", use.keys())
                .put("bytes", use.bytes())
                .put("unknown", use.unknown());
    }
}
