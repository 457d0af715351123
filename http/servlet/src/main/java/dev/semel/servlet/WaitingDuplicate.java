package dev.semel.servlet;

import dev.semel.http.Reply;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that has given its thread back while it waits for the outcome of another. Its reply is written in a dispatch of
 * its own; its handler is out of reach there, because filters in between may be mapped to the first dispatch alone.
 */
record WaitingDuplicate(CompletableFuture<Reply> reply) {

    private static final Logger LOG = LoggerFactory.getLogger(WaitingDuplicate.class);

    /** Writes the reply, now if it is there and otherwise later. */
    void begin(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (reply.isDone()) {
            finish(response);
            return;
        }
        request.setAttribute(ServletExchange.EXCHANGE, this);
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(0);
        reply.whenComplete((done, never) -> {
            try {
                async.dispatch();
            } catch (IllegalStateException e) {
                LOG.debug("the client left before its answer was known", e);
            }
        });
    }

    /** In the dispatch that follows the reply. */
    void finish(HttpServletResponse response) throws IOException {
        if (reply.join() instanceof Reply.Instead instead) {
            Answers.write(instead.answer(), response);
        }
    }
}
