package dev.semel.servlet;

import dev.semel.Attempt;
import dev.semel.http.Exchange;
import dev.semel.http.HandlerEntry;
import dev.semel.http.HandlerResponse;
import dev.semel.http.Reply;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A guarded request whose outcome is stored in the transaction that its handler works in. A transaction belongs to a
 * thread, so all of it happens in one dispatch; nothing reaches the client before the commit.
 */
record TransactionalExchange(Exchange exchange, CapturedHandler handler, HandlerEntry entry) {

    void run(@Nullable String scope, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            Reply reply = exchange.runInTransaction(
                    scope, handler.body(), attempt -> handle(attempt, request, response, chain));
            answer(reply, response);
        } catch (IOException | ServletException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        } finally {
            handler.close();
        }
    }

    private HandlerResponse handle(
            Attempt attempt, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        request.setAttribute(ServletExchange.ATTEMPT, attempt);
        handler.call(request, response, chain, null);
        Throwable failure = handler.failure(request);
        Capture capture = handler.capture();
        if (failure == null && capture.error() != null) {
            capture.renderProblem();
        }
        return entry.seen(capture.toResponse(failure));
    }

    private void answer(Reply reply, HttpServletResponse response) throws IOException {
        // Left only where everything was rolled back: then it is the container's to render, as without a key.
        Capture.SentError error = handler.capture().error();
        if (reply instanceof Reply.Instead instead) {
            Answers.write(instead.answer(), response);
        } else if (error == null) {
            handler.capture().commit(response, ((Reply.Own) reply).extra());
        } else {
            error.sendTo(response);
        }
    }
}
