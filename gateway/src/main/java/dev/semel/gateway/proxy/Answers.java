package dev.semel.gateway.proxy;

import dev.semel.Header;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes answers that the gateway makes itself, also to requests whose body is still on its way. */
final class Answers {

    /** How much of an unwanted body is read to keep the connection. */
    private static final int WORTH_READING = 64 << 10;

    /** How long a client that goes on sending can still read why it should not; then the connection is closed. */
    private static final long LINGER_MILLIS = 3000;

    private static final int FIRST_FINAL_STATUS = 200;
    private static final int LAST_STATUS = 599;

    private static final Answer UNWRITABLE =
            Problem.ofStatus(500, "The stored response of this operation cannot be sent.");

    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private Answers() {}

    /** Writes an answer that is small. */
    static void write(Vertx vertx, HttpServerRequest request, Answer answer) {
        HttpServerResponse response = request.response();
        if (begin(vertx, request, response, answer)) {
            response.end(Buffer.buffer(answer.body()));
        }
    }

    /** Writes an answer that may be large; {@code sent} runs when nothing of it is held any more. */
    static void write(LoopContext loop, HttpServerRequest request, Answer answer, Runnable sent) {
        HttpServerResponse response = request.response();
        if (begin(loop.vertx(), request, response, answer)) {
            BodySender.end(loop, request, answer.body(), sent);
        } else {
            sent.run();
        }
    }

    /** Writes the head of an answer; {@code false} if its body is not to be written. */
    private static boolean begin(Vertx vertx, HttpServerRequest request, HttpServerResponse response, Answer answer) {
        if (response.closed() || response.ended()) {
            return false;
        }
        if (response.headWritten()) {
            response.reset();
            return false;
        }
        if (!writeHead(response, answer)) {
            response.headers().clear();
            write(vertx, request, UNWRITABLE);
            return false;
        }
        if (!request.isEnded()) {
            discardBody(vertx, request);
        }
        if (request.method().equals(HttpMethod.HEAD)) {
            response.putHeader("Content-Length", Integer.toString(answer.body().length));
            response.end();
            return false;
        }
        return true;
    }

    /** Whether a status and headers can be said in HTTP; those of a decision need not. */
    private static boolean writeHead(HttpServerResponse response, Answer answer) {
        if (answer.status() < FIRST_FINAL_STATUS || answer.status() > LAST_STATUS) {
            LOG.error("an answer cannot be sent because of its status {}", answer.status());
            return false;
        }
        response.setStatusCode(answer.status());
        for (Header header : answer.headers()) {
            try {
                response.headers().add(header.name(), header.value());
            } catch (IllegalArgumentException e) {
                LOG.error("an answer cannot be sent because of its header {}", header.name(), e);
                return false;
            }
        }
        return true;
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
