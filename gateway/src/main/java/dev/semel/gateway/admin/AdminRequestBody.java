package dev.semel.gateway.admin;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Reads the body of a request that changes something. */
final class AdminRequestBody {

    private static final int MAX_REQUEST = 2 << 20;

    private AdminRequestBody() {}

    /** Goes on with the whole body, unless it is too large. */
    static void read(HttpServerRequest request, Consumer<Buffer> next) {
        Buffer body = Buffer.buffer();
        request.handler(chunk -> {
            if (body.length() + chunk.length() > MAX_REQUEST) {
                Json.problem(
                        request,
                        413,
                        "Request too large",
                        "The body of this request has at most " + MAX_REQUEST + " bytes.");
                request.connection().close();
            } else {
                body.appendBuffer(chunk);
            }
        });
        request.endHandler(ended -> next.accept(body));
    }
}
