package dev.semel.torture.node;

import dev.semel.Attempt;
import dev.semel.servlet.SemelFilter;
import dev.semel.torture.service.ServiceRequest;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
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
        ServiceRequest asked = ServiceRequest.read(
                request::getHeader,
                ServiceRequest.OWN_KEY,
                request.getInputStream().readAllBytes());
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

    private void answer(ServiceRequest asked, Attempt attempt, HttpServletResponse response)
            throws IOException, ServletException {
        ServiceAnswer answer;
        try {
            answer = ServiceAnswer.of(system, asked, attempt);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
        response.setStatus(answer.status());
        response.getOutputStream().write(answer.body());
    }
}
