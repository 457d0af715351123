package dev.semel.demo;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A service that charges cards and ignores retries: every request that reaches it is a charge. It can be asked to be
 * slow, and to die between the charge and the answer.
 */
final class PaymentsService {

    private static final long MAX_DELAY_MILLIS = 60_000;

    private final Vertx vertx;
    private final List<Charge> ledger = new CopyOnWriteArrayList<>();

    private record Charge(String id, String key, JsonObject request) {

        JsonObject json() {
            return new JsonObject().put("id", id).put("amount", request.getValue("amount"));
        }
    }

    PaymentsService(Vertx vertx) {
        this.vertx = vertx;
    }

    Future<HttpServer> listen(int port) {
        return vertx.createHttpServer().requestHandler(this::handle).listen(port, "127.0.0.1");
    }

    /** How many charges were made under a key. */
    long charges(String key) {
        return ledger.stream().filter(charge -> charge.key.equals(key)).count();
    }

    private void handle(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            if (request.method().name().equals("GET")) {
                JsonArray all = new JsonArray();
                ledger.forEach(charge -> all.add(charge.json().put("key", charge.key)));
                request.response().putHeader("Content-Type", "application/json").end(all.toBuffer());
            } else if ("/reconcile".equals(request.path())) {
                reconcile(request, body);
            } else {
                charge(request, body);
            }
        });
    }

    private void charge(HttpServerRequest request, Buffer body) {
        JsonObject asked;
        try {
            asked = body.length() == 0 ? new JsonObject() : body.toJsonObject();
        } catch (DecodeException e) {
            request.response().setStatusCode(400).end("not JSON");
            return;
        }
        String key = request.getHeader("Idempotency-Key");
        Charge charge = new Charge("ch_" + (ledger.size() + 1), key == null ? "none" : key.replace("\"", ""), asked);
        ledger.add(charge);
        if (request.getParam("crash") != null) {
            request.connection().close();
            return;
        }
        long delay = delay(request.getParam("delay"));
        if (delay == 0) {
            answer(request, charge);
        } else {
            vertx.setTimer(delay, fired -> answer(request, charge));
        }
    }

    private static long delay(@Nullable String millis) {
        return millis != null && millis.matches("[0-9]{1,5}") ? Math.min(MAX_DELAY_MILLIS, Long.parseLong(millis)) : 0;
    }

    private static void answer(HttpServerRequest request, Charge charge) {
        request.response()
                .setStatusCode(201)
                .putHeader("Content-Type", "application/json")
                .putHeader("Location", "/charges/" + charge.id)
                .end(charge.json().toBuffer());
    }

    /** Looks into the ledger, without charging anything. */
    private void reconcile(HttpServerRequest request, Buffer body) {
        String key = body.toJsonObject().getString("key");
        JsonObject verdict = ledger.stream()
                .filter(charge -> charge.key.equals(key))
                .findFirst()
                .map(charge -> new JsonObject()
                        .put("verdict", "done")
                        .put("status", 201)
                        .put("contentType", "application/json")
                        .put("headers", new JsonObject().put("Location", "/charges/" + charge.id))
                        .put("body", charge.json().encode()))
                .orElseGet(() -> new JsonObject().put("verdict", "not-executed"));
        request.response().putHeader("Content-Type", "application/json").end(verdict.toBuffer());
    }
}
