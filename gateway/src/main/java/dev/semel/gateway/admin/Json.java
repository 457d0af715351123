package dev.semel.gateway.admin;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** Writes JSON as answers of the API. */
final class Json {

    private Json() {}

    static void write(HttpServerRequest request, int status, JsonObject body) {
        write(request, status, "application/json", body);
    }

    static void problem(HttpServerRequest request, int status, String title, String detail) {
        JsonObject body =
                new JsonObject().put("status", status).put("title", title).put("detail", detail);
        write(request, status, "application/problem+json", body);
    }

    private static void write(HttpServerRequest request, int status, String type, JsonObject body) {
        if (!request.response().closed()) {
            request.response()
                    .setStatusCode(status)
                    .putHeader("Content-Type", type)
                    .end(body.toBuffer());
        }
    }
}
