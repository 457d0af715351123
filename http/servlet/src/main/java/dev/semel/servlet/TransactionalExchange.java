package dev.semel.servlet;

import dev.semel.Attempt;
import dev.semel.http.Exchange;
import dev.semel.http.HandlerEntry;
import dev.semel.http.HandlerResponse;
import dev.semel.http.Reply;
import dev.semel.http.spool.Spool;
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
final class TransactionalExchange {

    private final Exchange exchange;
    private final FailureAttributes failures;
    private final HandlerEntry entry;
    private final Spool body;
    private final boolean bodySpooled;
    private final Capture capture;

    TransactionalExchange(
            Exchange exchange, FailureAttributes failures, HandlerEntry entry, Spool body, boolean bodySpooled) {
        this.exchange = exchange;
        this.failures = failures;
        this.entry = entry;
        this.body = body;
        this.bodySpooled = bodySpooled;
        this.capture = Capture.holding(exchange.rules().policy().maxPayload());
    }

    void run(@Nullable String scope, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            Reply reply = exchange.runInTransaction(scope, body, attempt -> handle(attempt, request, response, chain));
            answer(reply, response);
        } catch (IOException | ServletException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        } finally {
            body.close();
            capture.close();
        }
    }

    private HandlerResponse handle(
            Attempt attempt, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        request.setAttribute(ServletExchange.ATTEMPT, attempt);
        CapturedResponse captured = new CapturedResponse(response, capture, Runnable::run);
        chain.doFilter(new BufferedRequest(request, null, captured, body, bodySpooled), captured);
        Throwable failure = failures.find(request);
        if (failure == null && capture.error() != null) {
            capture.renderProblem();
        }
        return entry.seen(capture.toResponse(failure));
    }

    private void answer(Reply reply, HttpServletResponse response) throws IOException {
        if (reply instanceof Reply.Instead instead) {
            Answers.write(instead.answer(), response);
            return;
        }
        // Left only where everything was rolled back: then it is the container's to render, as without a key.
        Capture.SentError error = capture.error();
        if (error == null) {
            capture.commit(response, ((Reply.Own) reply).extra());
        } else if (error.message() == null) {
            response.sendError(error.status());
        } else {
            response.sendError(error.status(), error.message());
        }
    }
}
