package dev.semel.gateway.framing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.GatewayProcess;
import dev.semel.gateway.RawHttp;
import dev.semel.gateway.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request whose end two readers may see at different places is refused, and its connection closed: what follows on the
 * connection would be a request of somebody else. The gateway runs with the HTTP library's own check switched off.
 */
class RequestFramingTest {

    private static final String SMUGGLED =
            "POST /smuggled HTTP/1.1\r\nHost: shop.example\r\nIdempotency-Key: s\r\nContent-Length: 2\r\n\r\n{}";

    @TempDir
    static Path directory;

    private static ScriptedUpstream upstream;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws IOException {
        upstream = new ScriptedUpstream(
                (request, turn) -> "HTTP/1.1 201 Created\r\nContent-Length: 4\r\nConnection: close\r\n\r\ngood<close>");
        gateway = new GatewayProcess(directory, "256m", upstream.url(), "memory:")
                .jvm(
                        "-Dio.netty.handler.codec.http.rfc9112TransferEncoding=false",
                        "-Dio.netty.handler.codec.http.defaultStrictLineParsing=false")
                .start();
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
        upstream.close();
    }

    private static String heads(String version, String headers, String body) {
        return "POST /charges " + version + "\r\nHost: shop.example\r\nContent-Type: text/plain\r\n" + headers
                + "\r\n\r\n" + body;
    }

    static Stream<String> ambiguous() {
        List<String> plain = List.of(
                heads("HTTP/1.1", "Content-Length: 4\r\nTransfer-Encoding: chunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked\r\nContent-Length: 400", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.0", "Content-Length: 4\r\nTransfer-Encoding: chunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.0", "Transfer-Encoding: chunked\r\nContent-Length: 4", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.0", "Transfer-Encoding: chunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Content-Length: 2\r\nContent-Length: 4", "{}\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Content-Length: 2\r\nContent-Length: 2", "{}" + SMUGGLED),
                heads("HTTP/1.1", "Content-Length: 2, 4", "{}\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Content-Length: +2", "{}" + SMUGGLED),
                heads("HTTP/1.1", "Content-Length: 0x2", "{}" + SMUGGLED),
                heads("HTTP/1.1", "Content-Length: 2 2", "{}" + SMUGGLED),
                heads("HTTP/1.1", "Content-Length:", SMUGGLED),
                heads("HTTP/1.1", "Content-Length: 99999999999999999999", "{}"),
                heads("HTTP/1.1", "Content-Length : 2", "{}" + SMUGGLED),
                heads("HTTP/1.1", "Content-Length:\r\n 2", "{}" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: gzip, chunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: identity", SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: identity\r\nContent-Length: 2", "{}" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked, identity", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked, chunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: xchunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: \u000bchunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding : chunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding\t: chunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", " Transfer-Encoding: chunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding:\r\n chunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked\r\n\t, identity", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "X: y\nTransfer-Encoding: chunked", "0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "X: y\rTransfer-Encoding: chunked\r\nContent-Length: 2", "{}" + SMUGGLED),
                heads("HTTP/1.1", "no colon here\r\nContent-Length: 2", "{}"),
                heads("HTTP/1.1", "Transfer-Encoding: chunked", "2\n{}\r\n0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked", "2;a\nxx\r\n{}\r\n0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked", "0x2\r\n{}\r\n0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked", "-2\r\n{}\r\n0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked", "2 \r\n{}\r\n0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked", "1\r\n{}\r\n0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked", "2\r\n{}0\r\n\r\n" + SMUGGLED),
                heads("HTTP/1.1", "Transfer-Encoding: chunked", "ffffffffffffffff2\r\n{}\r\n0\r\n\r\n"),
                heads(
                        "HTTP/1.1",
                        "Transfer-Encoding: chunked",
                        "2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n" + SMUGGLED));
        return plain.stream()
                .flatMap(each -> Stream.of(each, each.replaceFirst("\r\nHost", "\r\nIdempotency-Key: k\r\nHost")));
    }

    @ParameterizedTest
    @MethodSource("ambiguous")
    void isRefusedAndItsConnectionClosed(String bytes) throws Exception {
        int before = upstream.requests.size();

        String answer = RawHttp.exchange(gateway.port(), bytes);

        assertThat(answer).startsWith("HTTP/1.1 400 ").doesNotContain("good");
        assertThat(answer.split("HTTP/1.1 ", -1)).as(answer).hasSize(2);
        assertThat(upstream.requests.subList(before, upstream.requests.size()))
                .as("what reached the service")
                .noneMatch(request -> request.contains("/smuggled"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2\r\n\r\n{}",
                "content-length:\t2 \r\n\r\n{}",
                "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "transfer-encoding: \tcHuNkEd\t\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n0002;a=\"b;c\"\r\n{}\r\n00;x\r\nX-Trailer: y\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
            })
    void reachesTheServiceAsItWasDeclared(String rest) throws Exception {
        String key = "clear-" + Integer.toHexString(rest.hashCode());
        String request = "POST /charges HTTP/1.1\r\nHost: shop.example\r\nIdempotency-Key: " + key
                + "\r\nConnection: %s\r\nContent-Type: text/plain\r\n" + rest;

        String answers =
                RawHttp.exchange(gateway.port(), "\r\n" + request.formatted("keep-alive") + request.formatted("close"));

        assertThat(answers.split("HTTP/1.1 201 ", -1)).as(answers).hasSize(3);
        assertThat(upstream.requests)
                .filteredOn(each -> each.contains(key))
                .singleElement()
                .asString()
                .containsIgnoringCase("\r\ncontent-length: 2\r\n")
                .doesNotContainIgnoringCase("transfer-encoding")
                .endsWith("\r\n\r\n{}");
    }
}
