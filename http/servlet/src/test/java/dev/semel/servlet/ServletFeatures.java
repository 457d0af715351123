package dev.semel.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.NotExecutedException;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What servlets can do, and a filter can get wrong. The filter renders errors by itself here. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServletFeatures {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final String MARKER = "Idempotent-Replayed";

    private TestServer server;
    private String key = "";

    abstract TestServer start() throws Exception;

    @BeforeAll
    void startServer() throws Exception {
        server = start();
    }

    @AfterAll
    void stopServer() throws Exception {
        server.close();
    }

    @BeforeEach
    void newKey() {
        key = UUID.randomUUID().toString();
    }

    private CompletableFuture<HttpResponse<String>> later(String type, String body) {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve(OwnServlet.PATH + "/x?q=1"))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer alice.1")
                .header("Idempotency-Key", key)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String type, String body) {
        return later(type, body).join();
    }

    private HttpResponse<String> post() {
        return post("text/plain", "hello");
    }

    @Test
    void aRequestWithoutACallerIsNotAskedForItsBody() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("POST " + OwnServlet.PATH + "/x HTTP/1.1\r\nHost: shop.example\r\nIdempotency-Key: " + key
                                    + "\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n")
                            .getBytes(UTF_8));
            assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
                    .isEqualTo("HTTP/1.1 403");
        }
    }

    private void assertRuns(int expected) {
        assertThat(server.own.runs).hasValue(expected);
    }

    /** Sends the request twice and checks that the second is answered like the first, without a run. */
    private HttpResponse<String> assertReplayed(String type, String body, int runs) {
        HttpResponse<String> first = post(type, body);
        HttpResponse<String> second = post(type, body);
        assertThat(first.headers().firstValue(MARKER)).isEmpty();
        assertThat(second.headers().firstValue(MARKER)).contains("true");
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Content-Type"))
                .isEqualTo(first.headers().firstValue("Content-Type"));
        assertRuns(runs);
        return first;
    }

    private HttpResponse<String> assertReplayed() {
        return assertReplayed("text/plain", "hello", 1);
    }

    private static void write(AsyncContext async, String text) {
        try {
            async.getResponse().getWriter().write(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void p15ReplaysWhatADispatchedHandlerWrites() {
        server.own.handler((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                response.setStatus(202);
                response.getWriter().write("dispatched with " + request.getAttribute("result"));
                return;
            }
            AsyncContext async = request.startAsync();
            CompletableFuture.runAsync(() -> {
                async.getRequest().setAttribute("result", 42);
                async.dispatch();
            });
        });

        assertThat(assertReplayed("text/plain", "hello", 2).body()).isEqualTo("dispatched with 42");
    }

    @Test
    void p15ReplaysWhatWasCompletedBeforeTheHandlerReturned() {
        server.own.handler((request, response) -> {
            AsyncContext async = request.startAsync(request, response);
            write(async, "at once");
            async.complete();
        });

        assertThat(assertReplayed().body()).isEqualTo("at once");
    }

    @Test
    void p15TellsAsynchronousListenersOfTheEnd() {
        AtomicInteger completed = new AtomicInteger();
        server.own.handler((request, response) -> {
            AsyncContext async = request.startAsync();
            async.addListener(new Listener() {
                @Override
                public void onComplete(AsyncEvent event) {
                    completed.incrementAndGet();
                }
            });
            async.start(() -> {
                write(async, "done");
                async.complete();
            });
        });

        assertReplayed();
        Awaitility.await().untilAsserted(() -> assertThat(completed).hasValue(1));
    }

    @Test
    void p15RefusesToCompleteTwice() {
        AtomicReference<Throwable> second = new AtomicReference<>();
        server.own.handler((request, response) -> {
            AsyncContext async = request.startAsync();
            async.complete();
            try {
                async.complete();
            } catch (IllegalStateException e) {
                second.set(e);
            }
        });

        assertReplayed();
        assertThat(second.get()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void p12aDoesNotStoreWhatTheHandlerAnswersToATimeOut() {
        server.own.handler((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(50);
            async.addListener(new Listener() {
                @Override
                public void onTimeout(AsyncEvent event) {
                    write(event.getAsyncContext(), "took too long");
                    event.getAsyncContext().complete();
                }
            });
        });

        assertThat(post().body()).contains("urn:semel:problem:outcome-unknown");
        assertThat(post().body()).contains("urn:semel:problem:outcome-unknown");
        assertRuns(1);
    }

    @Test
    void p15DoesNotKnowTheOutcomeOfAHandlerThatNeverCompletes() {
        server.own.handler((request, response) -> request.startAsync().setTimeout(50));

        assertThat(post().body()).contains("urn:semel:problem:outcome-unknown");
        assertThat(post().body()).contains("urn:semel:problem:outcome-unknown");
        assertRuns(1);
    }

    @Test
    void p15StoresTheFailureOfAHandlerThatThrowsAfterItWentAsynchronous() {
        server.own.handler((request, response) -> {
            request.startAsync();
            throw new IllegalStateException("broke");
        });

        assertThat(assertReplayed().statusCode()).isEqualTo(500);
    }

    @Test
    void p15StoresTheFailureOfATaskThatTheContainerRuns() {
        server.own.handler((request, response) -> request.startAsync().start(() -> {
            throw new IllegalStateException("broke");
        }));

        assertThat(assertReplayed().body()).contains("urn:semel:problem:operation-failed");
    }

    @Test
    void p15CapturesNonBlockingReadsAndWrites() {
        server.own.handler((request, response) -> {
            AsyncContext async = request.startAsync();
            ServletInputStream in = request.getInputStream();
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            in.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    while (in.isReady() && !in.isFinished()) {
                        int next = in.read();
                        if (next >= 0) {
                            read.write(next);
                        }
                    }
                }

                @Override
                public void onAllDataRead() throws IOException {
                    var out = response.getOutputStream();
                    out.setWriteListener(new WriteListener() {
                        @Override
                        public void onWritePossible() throws IOException {
                            assertThat(out.isReady()).isTrue();
                            out.write(read.toByteArray());
                            async.complete();
                        }

                        @Override
                        public void onError(Throwable failure) {
                            throw new AssertionError(failure);
                        }
                    });
                }

                @Override
                public void onError(Throwable failure) {
                    throw new AssertionError(failure);
                }
            });
        });

        assertThat(assertReplayed().body()).isEqualTo("hello");
    }

    @Test
    void p9SendsCookiesToTheFirstClientAloneAndReplaysARedirect() {
        server.own.handler((request, response) -> {
            response.addCookie(new Cookie("session", "secret"));
            response.getWriter().write("not sent");
            response.sendRedirect("/elsewhere");
            response.setStatus(302);
        });

        HttpResponse<String> first = post();
        HttpResponse<String> second = post();

        assertThat(first.headers().firstValue("Set-Cookie"))
                .hasValueSatisfying(c -> assertThat(c).startsWith("session=secret"));
        assertThat(second.headers().firstValue("Set-Cookie")).isEmpty();
        for (HttpResponse<String> response : List.of(first, second)) {
            assertThat(response.statusCode()).isEqualTo(302);
            assertThat(response.headers().firstValue("Location"))
                    .hasValueSatisfying(location -> assertThat(location).endsWith("/elsewhere"));
            assertThat(response.body()).isEmpty();
        }
        assertRuns(1);
    }

    @Test
    void p9KeepsTheCharsetThatTheWriterWasMadeWith() {
        server.own.handler((request, response) -> {
            response.setContentType("text/html;charset=UTF-8");
            response.getWriter().write("\u20ac");
            response.setContentType("text/plain;charset=ISO-8859-1");
        });

        HttpResponse<String> first = assertReplayed();
        assertThat(first.body()).isEqualTo("\u20ac");
        assertThat(first.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).isEqualToIgnoringCase("text/plain;charset=UTF-8"));
    }

    @Test
    void forgetsWhatTheHandlerResets() {
        server.own.handler((request, response) -> {
            response.setHeader("ETag", "\"wrong\"");
            response.setStatus(500);
            response.getWriter().write("wrong");
            response.flushBuffer();
            assertThat(response.isCommitted()).isFalse();
            response.reset();
            response.getOutputStream().write("right".getBytes(UTF_8));
        });

        HttpResponse<String> first = assertReplayed();
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("right");
        assertThat(first.headers().firstValue("ETag")).isEmpty();
    }

    @Test
    void readsTheBodyAndTheParametersOfAForm() {
        server.own.handler((request, response) -> response.getWriter()
                .write(request.getParameter("q") + " " + String.join(",", request.getParameterValues("a")) + " "
                        + request.getParameter("none")));

        HttpResponse<String> first = assertReplayed("application/x-www-form-urlencoded", "a=1&a=%C3%A4&b", 1);
        assertThat(first.body()).startsWith("1 1,").endsWith(" null");
    }

    @Test
    void p7TellsFormsApartThatAnEarlierFilterHasRead() {
        String form = "application/x-www-form-urlencoded";
        server.own.handler((request, response) ->
                response.getWriter().write(request.getParameter("q") + " " + request.getParameter("a")));
        server.early.reads = true;
        try {
            assertThat(assertReplayed(form, "a=1", 1).body()).isEqualTo("1 1");
            assertThat(post(form, "a=2").statusCode()).isEqualTo(422);
            assertThat(post(form, "").statusCode()).isEqualTo(422);
        } finally {
            server.early.reads = false;
        }
        assertRuns(1);
    }

    @Test
    void p6ReadsThePartsOfAMultipartBodyWhateverItsBoundary() {
        server.own.handler((request, response) -> response.getWriter()
                .write(new String(request.getPart("file").getInputStream().readAllBytes(), UTF_8)));
        String body =
                "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\ncontent\r\n--B--\r\n";

        HttpResponse<String> first = post("multipart/form-data; boundary=B", body);
        HttpResponse<String> second = post("multipart/form-data; boundary=XYZ", body.replace("--B", "--XYZ"));
        HttpResponse<String> other = post("multipart/form-data; boundary=B", body.replace("content", "other"));

        assertThat(first.body()).isEqualTo("content");
        assertThat(second.body()).isEqualTo("content");
        assertThat(second.headers().firstValue(MARKER)).contains("true");
        assertThat(other.statusCode()).isEqualTo(422);
        assertRuns(1);
    }

    @Test
    void spoolsALargeUploadAndRefusesOneThatIsTooLarge() {
        server.own.handler((request, response) ->
                response.getWriter().write("" + request.getInputStream().readAllBytes().length));

        assertThat(assertReplayed("text/plain", "x".repeat(TestServer.MAX_BODY), 1)
                        .body())
                .isEqualTo("" + TestServer.MAX_BODY);
        newKey();
        HttpResponse<String> refused = post("text/plain", "x".repeat(TestServer.MAX_BODY + 1));
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("urn:semel:problem:request-too-large");
        assertRuns(1);
    }

    @Test
    void p12ReleasesTheKeyWhenTheFrameworkHasAnsweredForAHandlerThatDidNothing() {
        server.own.handler((request, response) -> {
            request.setAttribute(OwnServlet.FAILURE, new NotExecutedException("busy", null));
            response.sendError(503);
        });

        assertThat(post().statusCode()).isEqualTo(503);
        assertThat(post().headers().firstValue(MARKER)).isEmpty();
        assertRuns(2);
    }

    @Test
    void p13CutsTheConnectionWhenTheHandlerFailsAfterAPartWasSent() {
        server.own.handler((request, response) -> {
            response.getOutputStream().write(new byte[TestServer.MAX_PAYLOAD * 2]);
            response.flushBuffer();
            throw new IllegalStateException("broke");
        });

        assertThatThrownBy(() -> later("text/plain", "hello").get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IOException.class);
        assertThat(post().body()).contains("urn:semel:problem:operation-failed");
        assertRuns(1);
    }

    @Test
    void p14EndsAnOperationWhoseClientLeavesWhileALargeResponseIsSent() {
        CompletableFuture<Void> left = new CompletableFuture<>();
        AtomicInteger written = new AtomicInteger();
        server.own.handler((request, response) -> {
            response.getOutputStream().write(new byte[TestServer.MAX_PAYLOAD * 2]);
            response.flushBuffer();
            left.join();
            for (int i = 0; i < 200; i++) {
                response.getOutputStream().write(new byte[TestServer.MAX_PAYLOAD]);
                written.incrementAndGet();
            }
        });

        CompletableFuture<HttpResponse<String>> first = later("text/plain", "hello");
        Awaitility.await().until(() -> server.own.runs.get() == 1);
        first.cancel(true);
        left.complete(null);

        Awaitility.await().untilAsserted(() -> assertThat(written).hasValue(200));
        assertThat(post().body()).contains("urn:semel:problem:response-not-retained");
        assertRuns(1);
    }

    @Test
    void p8ARequestThatWaitedNeverReachesTheHandlerPastAFilter() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        server.own.handler((request, response) -> {
            if (server.own.runs.get() == 1) {
                end.join();
                throw new NotExecutedException("not yet", null);
            }
            response.getWriter().write("ran");
        });
        int before = server.inner.passed.get();
        CompletableFuture<HttpResponse<String>> first = later("text/plain", "hello");
        Awaitility.await().until(() -> server.own.runs.get() == 1);
        int claims = server.store.claims();
        CompletableFuture<HttpResponse<String>> waiting = later("text/plain", "hello");
        Awaitility.await().until(() -> server.store.claims() > claims);
        end.complete(null);

        assertThat(first.join().statusCode()).isEqualTo(503);
        // It is free to run if it got the key before it gave its thread back, and declines otherwise.
        HttpResponse<String> waited = waiting.join();
        if (waited.statusCode() == 503) {
            assertThat(waited.body()).contains("urn:semel:problem:not-executed");
            assertThat(post().body()).isEqualTo("ran");
        } else {
            assertThat(waited.body()).isEqualTo("ran");
        }
        assertThat(server.inner.passed.get() - before)
                .as("runs that passed the filter")
                .isEqualTo(server.own.runs.get());
        assertRuns(2);
    }

    @Test
    void givesTheHandlerItsAttempt() {
        server.own.handler((request, response) -> {
            var attempt = SemelFilter.attempt(request).orElseThrow();
            response.getWriter()
                    .write(attempt.number() + " " + (attempt.token() > 0) + " "
                            + attempt.key().value().equals(request.getHeader("Idempotency-Key")));
        });

        assertThat(assertReplayed().body()).isEqualTo("1 true true");
    }

    /** Does nothing. */
    private static class Listener implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) throws IOException {}

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {}

        @Override
        public void onError(AsyncEvent event) throws IOException {}

        @Override
        public void onStartAsync(AsyncEvent event) throws IOException {}
    }
}
