package dev.semel.servlet;

import dev.semel.http.spool.Spool;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The handler behind the filter: it reads its body from a spool and answers into a capture. */
record CapturedHandler(FailureAttributes failures, Spool body, boolean bodySpooled, Capture capture) {

    /**
     * Continues an existing capture, or starts one.
     *
     * @param exchange is notified when the handler makes its request asynchronous; {@code null} if it must not
     */
    void call(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            @Nullable ServletExchange exchange)
            throws IOException, ServletException {
        if (Wrappers.find(response, CapturedResponse.class) != null) {
            chain.doFilter(request, response);
            return;
        }
        capture.attach(response);
        CapturedResponse captured = new CapturedResponse(
                response, capture, task -> request.getAsyncContext().start(task));
        chain.doFilter(new BufferedRequest(request, exchange, captured, body, bodySpooled), captured);
    }

    /** The exception that the framework has converted to a response; {@code null} if the handler did not fail. */
    @Nullable
    Throwable failure(ServletRequest request) {
        return failures.find(request);
    }

    void close() {
        body.close();
        capture.close();
    }
}
