package dev.semel.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/** A filter in front of the guard that looks for a parameter, as those against forged requests do. */
final class EarlyReader implements Filter {

    volatile boolean reads;

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (reads) {
            request.getParameter("_csrf");
        }
        chain.doFilter(request, response);
    }
}
