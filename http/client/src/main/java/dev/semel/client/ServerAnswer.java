package dev.semel.client;

import java.util.Optional;

/**
 * The parts of a response that decide about a retry, for any HTTP client.
 *
 * @param body the body of a response with status 202 or an error; empty for others
 * @param response the response in the client's own form
 */
public record ServerAnswer<R>(int status, HeaderLookup headers, byte[] body, R response) {

    /** Finds the first value of a header by its name, without regard to case. */
    @FunctionalInterface
    public interface HeaderLookup {
        Optional<String> first(String name);
    }

    /** Whether the body of a response with this status matters. */
    public static boolean bodyMatters(int status) {
        return status == 202 || status >= 400;
    }
}
