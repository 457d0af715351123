package dev.semel.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Every kind of handler behind the filter, through a socket. No event loop may block: BlockHound watches. */
class SemelWebFilterTest {

    private static TestServer server;

    private final String key = UUID.randomUUID().toString();
    private TestController controller;

    @BeforeAll
    static void start() {
        // It reads the system's random device, which does not block.
        BlockHound.builder()
                .loadIntegrations()
                .allowBlockingCallsInside("java.util.UUID", "randomUUID")
                .install();
        server = TestServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void reset() {
        controller = server.controller();
        controller.runs.set(0);
        controller.ends.set(0);
        controller.departures.set(0);
        controller.gate = new CompletableFuture<>();
    }

    @Test
    void aRequestWithoutACallerIsNotAskedForItsBody() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("POST /mono HTTP/1.1\r\nHost: shop.example\r\nX-Nobody: 1\r\nIdempotency-Key: " + key
                                    + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8))
                    .isEqualTo("HTTP/1.1 403");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/mono",
                "/flux",
                "/events",
                "/future",
                "/empty",
                "/rendered",
                "/handled",
                "/half",
                "/thrown",
                "/missing-class",
                "/accounts/1/charge"
            })
    void p15ReplaysTheRealResponseOfEveryKindOfHandler(String path) throws Exception {
        HttpResponse<String> first = server.post(path, key, "{\"amount\":12}");
        HttpResponse<String> second = server.post(path, key, "{ \"amount\" : 12 }");

        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).isEqualTo(first.body());
        for (String header : new String[] {"Content-Type", "Location"}) {
            assertThat(second.headers().allValues(header))
                    .isEqualTo(first.headers().allValues(header));
        }
        assertThat(controller.runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/out-of-memory", "/out-of-memory-in-between"})
    void anAttemptThatRunsOutOfMemoryEndsAndCannotTell(String path) throws Exception {
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> response = server.post(path, key, "{}");

            assertThat(response.statusCode()).isEqualTo(409);
            assertThat(response.body()).contains("urn:semel:problem:outcome-unknown");
        }
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void answersWithWhatTheHandlerSaid() throws Exception {
        HttpResponse<String> mono = server.post("/mono", key, "{\"amount\":12}");

        assertThat(mono.statusCode()).isEqualTo(201);
        assertThat(mono.headers().firstValue("Location")).hasValue("/charges/1");
        assertThat(mono.headers().firstValue("X-Not-Replayed")).hasValue("once");
        assertThat(mono.headers().firstValue("Idempotency-Expires")).isPresent();
        assertThat(mono.body()).contains("\"amount\":12");
        assertThat(server.post("/flux", key + 2, "").body())
                .isEqualTo("{\"i\":1,\"run\":2}\n{\"i\":2,\"run\":2}\n{\"i\":3,\"run\":2}\n");
        assertThat(server.post("/empty", key + 3, "").statusCode()).isEqualTo(204);
    }

    @Test
    void anErrorRenderedByAnExceptionHandlerIsStoredAsItWasRendered() throws Exception {
        assertThat(server.post("/rendered", key, "").body()).isEqualTo("rendered run 1");
        assertThat(server.post("/rendered", key, "").body()).isEqualTo("rendered run 1");
        assertThat(server.post("/rendered", key, "").statusCode()).isEqualTo(500);
        assertThat(server.post("/handled", key + 2, "").body()).isEqualTo("handled run 2");
        assertThat(server.post("/half", key + 3, "").body()).isEqualTo("handled run 3");
    }

    @Test
    void anUnhandledErrorIsAProblemThatIsNotRunAgain() throws Exception {
        HttpResponse<String> first = server.post("/thrown", key, "");

        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.body()).contains("urn:semel:problem:operation-failed").doesNotContain("run 1");
    }

    @Test
    void aSecurityExceptionOfAHandlerThatWasEnteredIsItsOutcome() throws Exception {
        assertThat(server.post("/denied", key, "").statusCode()).isEqualTo(403);
        assertThat(server.post("/denied", key, "").statusCode()).isEqualTo(403);
        assertThat(controller.runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/not-executed", "/try-again"})
    void p12WhatWasNotExecutedMayRunAgain(String path) throws Exception {
        HttpResponse<String> first = server.post(path, key, "");

        assertThat(first.statusCode()).isEqualTo(503);
        assertThat(first.body()).contains("\"retry\":\"same-key\"");
        assertThat(server.post(path, key, "").statusCode()).isEqualTo(503);
        assertThat(controller.runs).hasValue(2);
    }

    @Test
    void p13ALargeResponseReachesTheFirstClientWhole() throws Exception {
        HttpResponse<String> first = server.post("/large", key, "");
        HttpResponse<String> second = server.post("/large", key, "");

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("run 1 ".repeat(200 * 300));
        assertThat(second.statusCode()).isEqualTo(410);
        assertThat(second.body()).contains("response-not-retained", "\"originalStatus\":200");
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void p13ALargeResponseGoesStraightToTheClientAndIsNotKept() throws Exception {
        HttpResponse<InputStream> first = server.stream("/large-slow", key);
        // It has not ended, and its client already has more of it than is ever kept.
        assertThat(first.body().readNBytes(300_000)).hasSize(300_000);
        assertThat(controller.ends).hasValue(0);
        assertThat(server.post("/large-slow", key, "").statusCode()).isEqualTo(409);

        controller.gate.complete("end");

        assertThat(new String(first.body().readAllBytes(), StandardCharsets.UTF_8))
                .endsWith("run 1 end");
        await().untilAsserted(() ->
                assertThat(server.post("/large-slow", key, "").body()).contains("response-not-retained"));
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void p13AClientThatLeavesInTheMiddleOfALargeResponseDoesNotStopIt() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /large-slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                            + "Content-Type: application/json\r\nIdempotency-Key: " + key + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            assertThat(socket.getInputStream().readNBytes(1000)).hasSize(1000);
        }
        controller.gate.complete("end");

        await().untilAtomic(controller.ends, is(1));
        await().untilAsserted(() ->
                assertThat(server.post("/large-slow", key, "").body()).contains("response-not-retained"));
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void aLargeResponseThatFailsInTheMiddleBreaksOffAndDoesNotRunAgain() throws Exception {
        assertThatThrownBy(() -> server.post("/large-half", key, "")).isInstanceOf(IOException.class);

        await().untilAsserted(() ->
                assertThat(server.post("/large-half", key, "").body()).contains("operation-failed"));
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void aRequestThatIsSpooledToAFileReachesTheHandlerAndOneThatIsTooLargeDoesNot() throws Exception {
        String text = "9".repeat(400_000);

        assertThat(server.post("/length", key, text).body()).isEqualTo("400000 in run 1");
        assertThat(server.post("/length", key, text).body()).isEqualTo("400000 in run 1");
        assertThat(server.post("/length", key + 2, text + text).statusCode()).isEqualTo(413);
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void readsFormsAndMultipartBodiesFromTheSpool() throws Exception {
        HttpRequest.Builder form = HttpRequest.newBuilder(server.uri("/form"))
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("amount=7"));
        assertThat(server.send(form).body()).isEqualTo("7 in run 1");
        assertThat(server.send(form).body()).isEqualTo("7 in run 1");

        String upload = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
                + "x".repeat(300_000) + "\r\n--b--\r\n";
        HttpRequest.Builder multipart = HttpRequest.newBuilder(server.uri("/upload"))
                .header("Idempotency-Key", key + 2)
                .header("Content-Type", "multipart/form-data; boundary=b")
                .POST(HttpRequest.BodyPublishers.ofString(upload));
        assertThat(server.send(multipart).body()).isEqualTo("a.txt 300000 in run 2");
        assertThat(server.send(multipart).body()).isEqualTo("a.txt 300000 in run 2");
    }

    @Test
    void p14AClientThatGoesAwayDoesNotStopTheOperation() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nIdempotency-Key: " + key
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            await().untilAtomic(controller.runs, is(1));
        }
        HttpRequest.Builder again = HttpRequest.newBuilder(server.uri("/slow"))
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.noBody());
        assertThat(server.send(again).statusCode()).isEqualTo(409);

        controller.gate.complete("end");

        await().untilAsserted(() -> assertThat(server.send(again).body()).isEqualTo("end of run 1"));
        assertThat(controller.runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void p14AClientThatLeavesDuringTheClaimDoesNotTakeTheBodyFromTheHandler(int length) throws Exception {
        HeldClaims claims = server.claims();
        claims.gate = new CompletableFuture<>();
        int before = claims.asked.get();
        String text = "9".repeat(length);
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /length HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length
                            + "\r\nContent-Type: application/json\r\nIdempotency-Key: " + key + "\r\n\r\n" + text)
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            await().untilAtomic(claims.asked, is(before + 1));
        }
        await().untilAtomic(controller.departures, is(1));
        claims.gate.complete(null);

        await().untilAsserted(() ->
                assertThat(server.post("/length", key, text).body()).isEqualTo(length + " in run 1"));
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void p8AConcurrentDuplicateGetsRetryAfter() throws Exception {
        CompletableFuture<HttpResponse<String>> first = CompletableFuture.supplyAsync(() -> {
            try {
                return server.post("/slow", key, "");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        await().untilAtomic(controller.runs, is(1));

        HttpResponse<String> second = server.post("/slow", key, "");
        controller.gate.complete("end");

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Retry-After")).isPresent();
        assertThat(first.join().body()).isEqualTo("end of run 1");
    }

    @Test
    void twoPathsWithOneKeyAreNotConfused() throws Exception {
        assertThat(server.post("/accounts/1/charge", key, "{}").body()).isEqualTo("charged 1 in run 1");
        assertThat(server.post("/accounts/2/charge", key, "{}").statusCode()).isEqualTo(422);
    }

    @Test
    void theHandlerKnowsItsAttempt() throws Exception {
        assertThat(server.post("/attempt", key, "").body()).isEqualTo("true 1");
    }

    @Test
    void requestsWithoutRulesPassThrough() throws Exception {
        assertThat(server.post("/open", key, "").body()).isEqualTo("run 1");
        assertThat(server.post("/open", key, "").body()).isEqualTo("run 2");
    }

    @Test
    void blockHoundIsAtWork() {
        Mono<String> blocks = Mono.fromCallable(() -> {
                    Thread.sleep(1);
                    return "not noticed";
                })
                .subscribeOn(Schedulers.parallel());

        assertThatThrownBy(blocks::block).hasCauseInstanceOf(BlockingOperationError.class);
    }
}
