package dev.semel.gateway;

import dev.semel.Header;
import dev.semel.http.Answer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

/** Writes answers that the gateway makes itself, also to requests whose body is still on its way. */
final class Answers {

    /** How much of a body that nobody wants is read to keep the connection. */
    private static final int WORTH_READING = 64 << 10;

    /** How long a client that goes on sending can still read why it should not; then the connection is closed. */
    private static final long LINGER_MILLIS = 3000;

    private Answers() {}

    static void write(Vertx vertx, HttpServerRequest request, Answer answer) {
        HttpServerResponse response = request.response();
        if (response.closed() || response.ended()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        response.setStatusCode(answer.status());
        for (Header header : answer.headers()) {
            response.headers().add(header.name(), header.value());
        }
        if (!request.isEnded()) {
            discardBody(vertx, request);
        }
        if (request.method().equals(HttpMethod.HEAD)) {
            response.putHeader("Content-Length", Integer.toString(answer.body().length));
            response.end();
        } else {
            response.end(Buffer.buffer(answer.body()));
        }
    }

    private static void discardBody(Vertx vertx, HttpServerRequest request) {
        request.handler(unwanted -> {}).exceptionHandler(gone -> {}).resume();
        if (request.version() == HttpVersion.HTTP_2 || isShort(request)) {
            return;
        }
        request.response().putHeader("Connection", "close");
        long timer = vertx.setTimer(LINGER_MILLIS, fired -> request.connection().close());
        request.endHandler(ended -> {
            vertx.cancelTimer(timer);
            request.connection().close();
        });
    }

    private static boolean isShort(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        if (length == null) {
            return !request.headers().contains("Transfer-Encoding");
        }
        return length.length() <= 5 && Integer.parseInt(length) <= WORTH_READING;
    }
}
