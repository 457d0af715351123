package dev.semel.servlet;

import dev.semel.Header;
import dev.semel.http.problem.Answer;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** Writes answers to a container's response. */
final class Answers {

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private Answers() {}

    static void write(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        addHeaders(answer.headers(), response);
        if (mayHaveBody(answer.status())) {
            response.setContentLength(answer.body().length);
            // Written with nothing in it, an empty body would commit the response before outer filters have added their
            // headers.
            if (answer.body().length > 0) {
                response.getOutputStream().write(answer.body());
            }
        }
    }

    /** Replaces the response's headers with these names. */
    static void addHeaders(List<Header> headers, HttpServletResponse response) {
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            if (header.name().equalsIgnoreCase("Content-Type")) {
                response.setContentType(header.value());
            } else if (isFirst(headers, i)) {
                response.setHeader(header.name(), header.value());
            } else {
                response.addHeader(header.name(), header.value());
            }
        }
    }

    private static boolean isFirst(List<Header> headers, int index) {
        for (int i = 0; i < index; i++) {
            if (headers.get(i).name().equalsIgnoreCase(headers.get(index).name())) {
                return false;
            }
        }
        return true;
    }

    static boolean mayHaveBody(int status) {
        return status != NO_CONTENT && status != NOT_MODIFIED;
    }
}
