package dev.semel.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Looks through the wrappers that filters put around requests and responses. */
final class Wrappers {

    private Wrappers() {}

    /** The wrapper of this type that is in there, or {@code null}. */
    static <T extends ServletResponse> @Nullable T find(ServletResponse response, Class<T> type) {
        ServletResponse here = response;
        while (!type.isInstance(here)) {
            if (!(here instanceof ServletResponseWrapper wrapper)) {
                return null;
            }
            here = wrapper.getResponse();
        }
        return type.cast(here);
    }

    /** The response inside the captured one, if this wraps one; otherwise the response itself. */
    static HttpServletResponse outside(HttpServletResponse response) {
        CapturedResponse captured = find(response, CapturedResponse.class);
        return captured == null ? response : captured.original();
    }

    /** The request inside the buffered one, if this wraps one; otherwise the request itself. */
    static HttpServletRequest outside(HttpServletRequest request) {
        ServletRequest here = request;
        while (here instanceof ServletRequestWrapper wrapper) {
            here = wrapper.getRequest();
            if (wrapper instanceof BufferedRequest) {
                return (HttpServletRequest) here;
            }
        }
        return request;
    }
}
