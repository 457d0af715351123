package dev.semel.testkit.http;

import org.jspecify.annotations.Nullable;

/**
 * A request to the sample application.
 *
 * @param testCase the value of the header {@link #CASE}, under which runs are counted
 */
public record SampleRequest(String path, @Nullable String query, String testCase) {

    /** The header that says which test a request belongs to. */
    public static final String CASE = "X-Case";

    int parameter(String name, int otherwise) {
        if (query != null) {
            for (String pair : query.split("&")) {
                if (pair.startsWith(name + "=")) {
                    return Integer.parseInt(pair.substring(name.length() + 1));
                }
            }
        }
        return otherwise;
    }
}
