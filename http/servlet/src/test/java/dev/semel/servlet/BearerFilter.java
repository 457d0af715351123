package dev.semel.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;

/** Stands for authentication: knows a caller by the part of its token before the dot. */
final class BearerFilter implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest httpRequest = (HttpServletRequest) request;
        String authorization = httpRequest.getHeader("Authorization");
        if (authorization == null) {
            chain.doFilter(request, response);
            return;
        }
        String name = authorization.substring("Bearer ".length()).split("\\.")[0];
        try {
            chain.doFilter(
                    new HttpServletRequestWrapper(httpRequest) {
                        @Override
                        public Principal getUserPrincipal() {
                            return () -> name;
                        }
                    },
                    response);
        } catch (SecurityException e) {
            // Like the filters of a security framework, which answer such exceptions themselves.
            ((HttpServletResponse) response).setStatus(HttpServletResponse.SC_FORBIDDEN);
        }
    }
}
