package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A response, with assertions on it. */
record Received(HttpResponse<byte[]> response) {

    static final String MARKER = "Idempotent-Replayed";

    private static final List<String> REPLAYED = List.of(
            "Content-Type", "Content-Encoding", "Content-Language", "Location", "ETag", "Link", "Cache-Control");

    int status() {
        return response.statusCode();
    }

    byte[] body() {
        return response.body();
    }

    String text() {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    List<String> header(String name) {
        return response.headers().allValues(name);
    }

    boolean isReplay() {
        return header(MARKER).equals(List.of("true"));
    }

    Received hasStatus(int status) {
        assertThat(status()).as("status of: %s", text()).isEqualTo(status);
        return this;
    }

    Received isNoReplay() {
        assertThat(header(MARKER)).isEmpty();
        return this;
    }

    /** The same response, byte for byte, and marked as a replay. */
    Received replays(Received first) {
        assertThat(status()).as("status of: %s", text()).isEqualTo(first.status());
        assertThat(body()).isEqualTo(first.body());
        for (String name : REPLAYED) {
            assertThat(header(name)).as(name).isEqualTo(first.header(name));
        }
        assertThat(isReplay()).as("marked as a replay").isTrue();
        assertThat(header("Set-Cookie")).isEmpty();
        assertThat(header("X-Request-Id")).isEmpty();
        return this;
    }

    /** A problem of this kind: its type ends with the name, and it says what is known and what to do. */
    Received isProblem(int status, String name, String outcome, String retry) {
        hasStatus(status);
        assertThat(header("Content-Type")).containsExactly("application/problem+json");
        String compact = text().replaceAll("\\s*([:,{}])\\s*", "$1");
        assertThat(compact)
                .contains("\"type\":\"urn:semel:problem:" + name + "\"")
                .contains("\"status\":" + status)
                .contains("\"title\":\"")
                .contains("\"detail\":\"")
                .contains("\"outcome\":\"" + outcome + "\"")
                .contains("\"retry\":\"" + retry + "\"");
        return this;
    }

    Received hasRetryAfter() {
        assertThat(header("Retry-After"))
                .singleElement()
                .satisfies(seconds -> assertThat(Integer.parseInt(seconds)).isPositive());
        return this;
    }
}
