package dev.semel.gateway.admin;

import dev.semel.gateway.triage.KeyJson;
import dev.semel.http.behaviour.ClientBehaviour;
import dev.semel.http.behaviour.ClientBehaviour.Client;
import dev.semel.http.behaviour.ClientBehaviour.Mistake;
import dev.semel.http.behaviour.ClientBehaviour.ObservedMistake;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Misbehaving clients in JSON: who, how often, and the latest evidence. */
final class ClientsJson {

    private static final int SHOWN = 100;

    private ClientsJson() {}

    static JsonObject of(ClientBehaviour behaviour) {
        List<Client> all = behaviour.clients();
        JsonArray clients = new JsonArray();
        all.stream().limit(SHOWN).map(ClientsJson::client).forEach(clients::add);
        return new JsonObject()
                .put("windowMillis", ClientBehaviour.WINDOW.toMillis())
                .put("all", all.size())
                .put("clients", clients);
    }

    private static JsonObject client(Client client) {
        JsonArray latest = new JsonArray();
        client.latest().stream().map(ClientsJson::observed).forEach(latest::add);
        return new JsonObject()
                .put("scope", client.scope())
                .put("freshKeys", client.count(Mistake.FRESH_KEY))
                .put("keysReused", client.count(Mistake.KEY_REUSED))
                .put("retriesTooEarly", client.count(Mistake.RETRY_TOO_EARLY))
                .put("firstAt", KeyJson.time(client.firstAt()))
                .put("lastAt", KeyJson.time(client.lastAt()))
                .put("latest", latest);
    }

    private static JsonObject observed(ObservedMistake observed) {
        return new JsonObject()
                .put("at", KeyJson.time(observed.at()))
                .put("habit", KeyJson.name(observed.mistake()))
                .put("operation", observed.operation())
                .put("key", observed.key().toString())
                .put(
                        "before",
                        observed.before() == null ? null : observed.before().toString())
                .put("afterMillis", millis(observed.after()))
                .put("askedMillis", millis(observed.asked()));
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }
}
