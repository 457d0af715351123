package dev.semel.servlet;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A servlet whose handler is the test's own. */
final class OwnServlet extends HttpServlet {

    static final String PATH = "/own";
    static final String FAILURE = "test.failure";

    private static final long serialVersionUID = 1L;

    interface Handler {
        void handle(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException;
    }

    final AtomicInteger runs = new AtomicInteger();
    private transient volatile Handler handler = (request, response) -> {};

    void handler(Handler own) {
        runs.set(0);
        handler = own;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        runs.incrementAndGet();
        handler.handle(request, response);
    }
}
