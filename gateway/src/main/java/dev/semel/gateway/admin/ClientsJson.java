package dev.semel.gateway.admin;

import dev.semel.http.ClientBehaviour;
import dev.semel.http.ClientBehaviour.Client;
import dev.semel.http.ClientBehaviour.Misstep;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
                .put("windowMillis", Json.millis(ClientBehaviour.WINDOW))
                .put("all", all.size())
                .put("clients", clients);
    }

    private static JsonObject client(Client client) {
        JsonArray latest = new JsonArray();
        client.latest().stream().map(ClientsJson::misstep).forEach(latest::add);
        return new JsonObject()
                .put("scope", client.scope())
                .put("freshKeys", client.freshKeys())
                .put("keysReused", client.keysReused())
                .put("retriesTooEarly", client.retriesTooEarly())
                .put("firstAt", Json.time(client.firstAt()))
                .put("lastAt", Json.time(client.lastAt()))
                .put("latest", latest);
    }

    private static JsonObject misstep(Misstep misstep) {
        return new JsonObject()
                .put("at", Json.time(misstep.at()))
                .put("habit", misstep.habit().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .put("operation", misstep.operation())
                .put("key", misstep.key().toString())
                .put(
                        "before",
                        misstep.before() == null ? null : misstep.before().toString())
                .put("afterMillis", millis(misstep.after()))
                .put("askedMillis", millis(misstep.asked()));
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : Json.millis(duration);
    }
}
