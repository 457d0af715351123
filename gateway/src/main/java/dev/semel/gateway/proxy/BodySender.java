package dev.semel.gateway.proxy;

import dev.semel.gateway.limits.Budget;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.ByteArrayInputStream;

/** Sends a body that is in memory to a client, which may take it slowly but must not stand still. */
final class BodySender {

    private BodySender() {}

    /** Ends the response with this body; {@code sent} runs once, when nothing of it is held any more. */
    static void end(LoopContext loop, HttpServerRequest request, byte[] body, Runnable sent) {
        HttpServerResponse response = request.response();
        if (body.length <= Budget.SMALL) {
            response.end(Buffer.buffer(body)).onComplete(ended -> sent.run());
            return;
        }
        if (!response.headers().contains("Content-Length")) {
            response.putHeader("Content-Length", Integer.toString(body.length));
        }
        IdleWatch.Entry idle = loop.idle().start(() -> loop.connections().breakOff(request));
        Once over = new Once(() -> {
            idle.stop();
            sent.run();
        });
        response.closeHandler(closed -> over.run());
        Pump.write(new ByteArrayInputStream(body), response, idle::touch)
                .compose(written -> response.end())
                .onComplete(ended -> over.run());
    }

    /** Runs something the first time it is asked to. */
    private static final class Once implements Runnable {

        private final Runnable action;
        private boolean done;

        private Once(Runnable action) {
            this.action = action;
        }

        @Override
        public void run() {
            if (!done) {
                done = true;
                action.run();
            }
        }
    }
}
