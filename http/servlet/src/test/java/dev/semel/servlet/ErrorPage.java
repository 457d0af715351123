package dev.semel.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;

/** An error page that never says the same twice. */
final class ErrorPage extends HttpServlet {

    static final String PATH = "/error-page";

    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/html;charset=UTF-8");
        response.getWriter()
                .write("<h1>" + request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) + "</h1><p>"
                        + request.getAttribute(RequestDispatcher.ERROR_MESSAGE) + "</p><p>" + UUID.randomUUID()
                        + "</p>");
    }
}
