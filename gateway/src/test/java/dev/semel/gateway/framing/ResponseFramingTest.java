package dev.semel.gateway.framing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.ScriptedUpstream;
import dev.semel.gateway.TestGateway;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever an upstream sends, one caller's bytes never become the response of another, and no key is run twice. */
class ResponseFramingTest {

    private static final String FORGED = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged";
    private static final String GOOD = "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\ngood";

    private static TestGateway gateway(ScriptedUpstream upstream) {
        return TestGateway.start(upstream.url(), "event-loops", "1", "upstream-connections", "1", "timeout", "3s");
    }

    /** The operation may have happened: its key is neither released nor settled. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\nshort<close>",
                "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nlonger",
                "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\ngood" + FORGED,
                "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\ngood\r\n",
                "HTTP/1.1 201 Created\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\ngood",
                "HTTP/1.1 201 Created\r\nContent-Length: 4, 4\r\n\r\ngood",
                "HTTP/1.1 201 Created\r\nContent-Length: -4\r\n\r\ngood",
                "HTTP/1.1 201 Created\r\nContent-Length: four\r\n\r\ngood",
                "HTTP/1.1 201 Created\r\nContent-Length : 4\r\n\r\ngood",
                "HTTP/1.1 201 Created\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: gzip, chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: gzip\r\n\r\ngood<close>",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding:\r\n chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n",
                "HTTP/1.0 201 Created\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n4\r\ngood\r\n0\r\n\r\n",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood<close>",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nlonger\r\n0\r\n\r\n",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nx\r\ngood\r\n0\r\n\r\n",
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n" + FORGED,
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4 \r\ngood\r\n0\r\n\r\n",
                "HTTP/1.1 201 Created\r\nX-A: b\rc\r\nContent-Length: 4\r\n\r\ngood",
                "HTTP/1.1 201 Created\r\nX-A: b\nContent-Length: 4\r\n\r\ngood",
                "HTTP/2.0 201 Created\r\nContent-Length: 4\r\n\r\ngood",
                "HTTP/1.1 204 No Content\r\n\r\n" + FORGED,
                "SMTP ready\r\n\r\n",
            })
    void aResponseWhoseEndIsNotCertainLeavesTheOutcomeUnknown(String bytes) throws Exception {
        try (ScriptedUpstream upstream =
                        new ScriptedUpstream((request, turn) -> request.contains("/bad") ? bytes : GOOD);
                TestGateway gateway = gateway(upstream)) {
            HttpResponse<String> first = gateway.post("/bad", "k-1", "{}");
            assertThat(first.statusCode()).isEqualTo(502);
            assertThat(first.body()).contains("\"outcome\":\"unknown\"");

            HttpResponse<String> next = gateway.post("/charges", "k-2", "{}");
            assertThat(next.statusCode()).isEqualTo(201);
            assertThat(next.body()).isEqualTo("good");

            assertThat(gateway.post("/bad", "k-1", "{}").body()).contains("outcome-unknown");
            assertThat(upstream.requests).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: Chunked\r\n\r\n4;name=\"value\"\r\ngood\r\n0\r\nX-A: b\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + GOOD,
                "HTTP/1.1 201 Created\r\nX-Folded: a\r\n b\r\nContent-Length: 4\r\n\r\ngood",
                "HTTP/1.1 201 Created\r\n\r\ngood<close>",
                "HTTP/1.0 201 Created\r\nContent-Length: 4\r\n\r\ngood",
                "HTTP/1.1 201\r\nContent-Length: 4\r\n\r\ngood",
            })
    void takesWhatIsUnusualButClear(String bytes) throws Exception {
        try (ScriptedUpstream upstream = new ScriptedUpstream((request, turn) -> bytes);
                TestGateway gateway = gateway(upstream)) {
            assertThat(gateway.post("/odd", "k-1", "{}").body()).isEqualTo("good");
            assertThat(gateway.post("/odd", "k-2", "{}").body()).isEqualTo("good");
        }
    }

    /** The body comes exactly when the next request is on its way, if that takes the same connection. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HEAD|HTTP/1.1 200 OK\r\nContent-Length: 53\r\n\r\n",
                "HEAD|HTTP/1.1 200 OK\r\n\r\n",
                "GET|HTTP/1.1 204 No Content\r\nContent-Length: 53\r\n\r\n",
                "GET|HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET|HTTP/1.1 304 Not Modified\r\nContent-Length: 53\r\n\r\n",
            })
    void aLateBodyNeverBecomesTheNextCallersResponse(String methodAndBytes) throws Exception {
        String method = methodAndBytes.substring(0, methodAndBytes.indexOf('|'));
        String bytes = methodAndBytes.substring(methodAndBytes.indexOf('|') + 1);
        try (ScriptedUpstream upstream = new ScriptedUpstream((request, turn) -> {
                    if (request.contains("/bodiless")) {
                        return bytes;
                    }
                    return turn == 0 ? GOOD : FORGED + GOOD;
                });
                TestGateway gateway = gateway(upstream)) {
            for (int i = 0; i < 3; i++) {
                gateway.send(HttpRequest.newBuilder(gateway.uri("/bodiless"))
                        .method(method, HttpRequest.BodyPublishers.noBody()));
                HttpResponse<String> next = gateway.post("/charges", "k-" + i, "{}");
                assertThat(next.body()).doesNotContain("forged");
            }
        }
    }
}
