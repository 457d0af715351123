package dev.semel.torture.node;

import dev.semel.Attempt;
import dev.semel.Outcome;
import dev.semel.servlet.SemelFilter;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;

/** The service as a servlet that the filter guards. Some requests are handled on a thread of their own. */
final class ServiceServlet extends HttpServlet {

    /** Where the filter finds what a handler has thrown that answered by itself. */
    static final String FAILURE = "torture.failure";

    private static final long serialVersionUID = 1;

    private final transient SemelSystem system;
    private final transient Executor executor;

    ServiceServlet(SemelSystem system, Executor executor) {
        this.system = system;
        this.executor = executor;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        ServiceRequest asked = new ServiceRequest(
                Operation.valueOf(request.getHeader("Operation")),
                request.getHeader("Scope"),
                request.getHeader("Idempotency-Key"),
                request.getHeader("Request"),
                request.getInputStream().readAllBytes(),
                Long.parseLong(request.getHeader("Work")),
                Behaviour.valueOf(request.getHeader("Behaviour")));
        Attempt attempt = SemelFilter.attempt(request)
                .orElseThrow(() -> new IllegalStateException("the filter does not guard " + request.getRequestURI()));
        response.setContentType("application/json");
        response.setIntHeader("Attempt", attempt.number());
        if (!asked.isAsynchronous()) {
            answer(asked, attempt, response);
            return;
        }
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        executor.execute(() -> {
            try {
                answer(asked, attempt, (HttpServletResponse) async.getResponse());
            } catch (Throwable e) {
                // An error too: an empty success would be stored otherwise.
                request.setAttribute(FAILURE, e);
                ((HttpServletResponse) async.getResponse()).setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            } finally {
                async.complete();
            }
        });
    }

    /** A failure of the service itself is answered by it; whatever else is thrown concerns those around it. */
    private void answer(ServiceRequest asked, Attempt attempt, HttpServletResponse response)
            throws IOException, ServletException {
        byte[] body;
        try {
            Outcome outcome = system.handle(asked, attempt);
            response.setStatus(outcome.status());
            body = outcome.requirePayload();
        } catch (IllegalStateException e) {
            response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            body = e.toString().getBytes(StandardCharsets.UTF_8);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
        response.getOutputStream().write(body);
    }
}
