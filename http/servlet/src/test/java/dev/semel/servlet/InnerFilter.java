package dev.semel.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A filter between the guard and the handler that is mapped to ordinary requests alone. */
final class InnerFilter implements Filter {

    final AtomicInteger passed = new AtomicInteger();

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        passed.incrementAndGet();
        chain.doFilter(request, response);
    }
}
