package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.client.RawServer.Request;
import dev.semel.client.RawServer.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdempotentHttpClientTest {

    private final AtomicInteger turn = new AtomicInteger();
    private RawServer server;

    @TempDir
    private Path directory;

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    /** Serves these responses in turn, and the last one from then on. */
    private void serve(Response... responses) throws IOException {
        server = new RawServer(request -> responses[Math.min(turn.getAndIncrement(), responses.length - 1)]);
    }

    private static IdempotentHttpClient.Builder client() {
        return IdempotentHttpClient.builder()
                .retries(RetryPolicy.builder()
                        .maxAttempts(4)
                        .attemptTimeout(Duration.ofSeconds(20))
                        .delays(Duration.ofMillis(1), Duration.ofMillis(5))
                        .build());
    }

    private HttpOperation.Builder charge() {
        return HttpOperation.post(server.uri("/charges")).json("{\"amount\":1}");
    }

    @Test
    void repeatsTheSameRequestUntilThereIsAnAnswer() throws Exception {
        serve(
                Response.of(201, "made").cutAt(0),
                Response.of(201, "made").cutAt(20),
                Response.of(201, "made", "X-Idempotency-Replayed", "true").cutAt(60),
                Response.of(201, "made", "X-Idempotency-Replayed", "true"));

        OperationResult result = client().build().send(charge().key("order-1").build());

        assertThat(result.status()).isEqualTo(201);
        assertThat(result.text()).isEqualTo("made");
        assertThat(result.replayed()).isTrue();
        assertThat(result.attempts()).extracting(RequestAttempt::status).containsExactly(0, 0, 0, 201);
        assertThat(server.requests).hasSize(4).allSatisfy(request -> {
            assertThat(request.headers()).containsEntry("Idempotency-Key", "\"order-1\"");
            assertThat(request.text()).isEqualTo("{\"amount\":1}");
        });
    }

    @Test
    void givesEachOperationAKeyOfItsOwnAndKeepsItWhenItIsSentAgain() throws Exception {
        serve(Response.of(201, ""));
        IdempotentHttpClient client = client().build();
        HttpOperation operation = charge().build();

        client.send(operation);
        client.send(operation);
        client.send(charge().build());
        List<String> keys = server.requests.stream()
                .map(request -> request.headers().get("Idempotency-Key"))
                .toList();
        assertThat(keys.get(0)).isEqualTo(keys.get(1)).isNotEqualTo(keys.get(2));
    }

    @Test
    void speaksToApisInTheStyleOfStripe() throws Exception {
        serve(
                Response.of(409, "{\"error\":{\"type\":\"idempotency_error\"}}", "Stripe-Should-Retry", "true"),
                Response.of(200, "{\"id\":\"ch_1\"}", "Idempotent-Replayed", "true"));

        OperationResult result = client().dialect(ServerDialect.STRIPE)
                .build()
                .send(charge().key("order-1").build());

        assertThat(result.replayed()).isTrue();
        assertThat(server.requests)
                .allSatisfy(request -> assertThat(request.headers()).containsEntry("Idempotency-Key", "order-1"));
    }

    @Test
    void saysInEachRequestWhenTheOperationWasFirstSent() throws Exception {
        serve(Response.of(503, "", "Retry-After", "1"), Response.of(200, "{}", "Repeatability-Result", "accepted"));

        OperationResult result = client().dialect(ServerDialect.OASIS).build().send(charge().build());

        assertThat(result.attempts()).hasSize(2);
        assertThat(server.requests)
                .hasSize(2)
                .allSatisfy(request -> assertThat(request.headers()).containsKey("Repeatability-Request-ID"));
        List<String> times = server.requests.stream()
                .map(request -> request.headers().get("Repeatability-First-Sent"))
                .toList();
        assertThat(times.get(0))
                .isEqualTo(times.get(1))
                .matches("[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");
    }

    @Test
    void understandsWhatAProblemSays() throws Exception {
        serve(Response.of(
                422,
                "{\"type\":\"urn:semel:problem:key-reused\",\"title\":\"t\",\"outcome\":\"unknown\",\"retry\":\"new-key\"}",
                "Content-Type",
                "application/problem+json"));

        OperationResult result = client().build().send(charge().build());

        assertThat(result.problem()).hasValueSatisfying(problem -> {
            assertThat(problem.type()).isEqualTo("urn:semel:problem:key-reused");
            assertThat(problem.retry()).isEqualTo("new-key");
        });
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void asksTheStatusResourceAsTheSameCaller() throws Exception {
        serve(
                Response.of(
                        202,
                        "{\"outcome\":\"pending\",\"retry\":\"same-key\"}",
                        "Location",
                        "/operations/7",
                        "Retry-After",
                        "0"),
                Response.of(201, "made", "X-Idempotency-Replayed", "true"));

        OperationResult result = client().build()
                .send(charge().header("Authorization", "Bearer a").build());

        assertThat(result.text()).isEqualTo("made");
        Request asked = server.requests.get(1);
        assertThat(asked.method() + asked.path()).isEqualTo("GET/operations/7");
        assertThat(asked.headers())
                .containsEntry("Authorization", "Bearer a")
                .doesNotContainKeys("Idempotency-Key", "Content-Type");
    }

    @Test
    void sendsWithoutBlocking() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        server = new RawServer(request -> {
            answer.await();
            return Response.of(201, "made");
        });

        CompletableFuture<OperationResult> sending = client().build().sendAsync(charge().build());
        assertThat(sending).isNotDone();
        answer.countDown();
        assertThat(sending.join().text()).isEqualTo("made");
    }

    @Test
    void countsTheBodyOfAResponseIntoTheTimeOfAnAttempt() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Response whole = Response.of(201, "made");
        server = new RawServer(request -> {
            if (turn.getAndIncrement() == 0) {
                never.await();
            }
            return whole;
        });
        IdempotentHttpClient client = IdempotentHttpClient.builder()
                .retries(RetryPolicy.builder()
                        .attemptTimeout(Duration.ofMillis(300))
                        .delays(Duration.ofMillis(1), Duration.ofMillis(1))
                        .build())
                .build();

        assertThat(client.send(charge().build()).attempts())
                .extracting(RequestAttempt::status)
                .endsWith(0, 201);
    }

    @Test
    void neverReadsAStreamTwice() throws Exception {
        serve(Response.of(201, "").cutAt(0), Response.of(201, ""));
        IdempotentHttpClient client = client().build();
        HttpOperation upload = HttpOperation.post(server.uri("/upload"))
                .body(new ByteArrayInputStream("once".getBytes(StandardCharsets.UTF_8)))
                .build();

        assertThatThrownBy(() -> client.send(upload)).isInstanceOf(MaybeAppliedException.class);
        assertThatThrownBy(() -> client.send(upload))
                .isInstanceOf(BodyNotRepeatableException.class)
                .hasMessageContaining("was given as a stream and has been read")
                .hasMessageContaining("as bytes or text");
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void refusesToKeepAStreamInAJournal() throws Exception {
        serve(Response.of(201, ""));
        try (KeyJournal journal = KeyJournal.open(directory.resolve("j"))) {
            IdempotentHttpClient client = client().journal(journal).build();
            HttpOperation upload = HttpOperation.post(server.uri("/upload"))
                    .body(new ByteArrayInputStream(new byte[1]))
                    .build();
            assertThatThrownBy(() -> client.send(upload)).hasMessageContaining("which a journal cannot keep");
        }
        assertThat(server.requests).isEmpty();
    }

    @Test
    void resumesFromTheJournalWithTheSameKeyAndBody() throws Exception {
        serve(
                Response.of(201, "made").cutAt(0),
                Response.of(201, "made").cutAt(0),
                Response.of(201, "made").cutAt(0),
                Response.of(201, "made").cutAt(0),
                Response.of(201, "made", "Idempotent-Replayed", "true"));
        Path file = directory.resolve("j");
        try (KeyJournal journal = KeyJournal.open(file)) {
            HttpOperation operation =
                    charge().header("Authorization", "Bearer old").build();
            assertThatThrownBy(() -> client().journal(journal).build().send(operation))
                    .isInstanceOf(MaybeAppliedException.class);
            assertThat(journal.unfinished()).hasSize(1);
        }
        try (KeyJournal journal = KeyJournal.open(file)) {
            UnfinishedOperation unfinished = journal.unfinished().get(0);
            OperationResult result =
                    client().journal(journal).build().send(unfinished.resume(Map.of("Authorization", "Bearer new")));
            assertThat(result.text()).isEqualTo("made");
            assertThat(journal.unfinished()).isEmpty();
        }
        assertThat(server.requests)
                .extracting(request -> request.headers().get("Idempotency-Key") + request.text())
                .containsOnly(server.requests.get(0).headers().get("Idempotency-Key") + "{\"amount\":1}");
    }

    @Test
    void keepsAnOperationUntilItsAnswerIsHandled() throws Exception {
        serve(Response.of(201, "made"));
        try (KeyJournal journal = KeyJournal.open(directory.resolve("j"))) {
            IdempotentHttpClient client = client().journal(journal).build();
            assertThatThrownBy(() -> client.send(charge().key("a").build(), result -> {
                        throw new IllegalStateException("the database is down");
                    }))
                    .hasMessage("the database is down");
            assertThatThrownBy(() -> client.sendAsync(
                                    charge().key("b").build(),
                                    result -> CompletableFuture.failedFuture(new IllegalStateException("still down")))
                            .join())
                    .hasRootCauseMessage("still down");
            assertThat(journal.unfinished())
                    .extracting(UnfinishedOperation::key)
                    .containsExactly("a", "b");

            client.send(
                    charge().key("a").build(),
                    result -> assertThat(journal.unfinished()).hasSize(1));
            client.sendAsync(charge().key("b").build(), result -> CompletableFuture.completedFuture(null))
                    .join();
            assertThat(journal.unfinished()).isEmpty();
        }
    }

    @Test
    void doesNotKeepWhatWasCertainlyNotApplied() throws Exception {
        serve(Response.of(425, ""));
        try (KeyJournal journal = KeyJournal.open(directory.resolve("j"))) {
            assertThatThrownBy(() -> client().journal(journal).build().send(charge().build()))
                    .isInstanceOf(NotAppliedException.class);
            assertThat(journal.unfinished()).isEmpty();
        }
    }

    /** A server that applies the operation and breaks off its answer, once for each attempt of a client; then this. */
    private void serveAfterALostAnswer(Response then) throws IOException {
        Response lost = Response.of(201, "made").cutAt(0);
        serve(lost, lost, lost, lost, then);
    }

    private static void assertUnknown(IdempotentHttpClient client, HttpOperation operation) {
        assertThatThrownBy(() -> client.send(operation)).isInstanceOf(MaybeAppliedException.class);
    }

    @Test
    void keepsWhatAnEarlierProcessMayHaveAppliedWhenTheServerCannotBeReached() throws Exception {
        serveAfterALostAnswer(Response.of(201, ""));
        Path file = directory.resolve("j");
        try (KeyJournal journal = KeyJournal.open(file)) {
            assertUnknown(client().journal(journal).build(), charge().build());
        }
        server.close();
        try (KeyJournal journal = KeyJournal.open(file)) {
            HttpOperation resumed = journal.unfinished().get(0).resume(Map.of());
            assertUnknown(client().journal(journal).build(), resumed);
            assertThat(journal.unfinished()).hasSize(1);
        }
    }

    @Test
    void keepsWhatAnEarlierProcessMayHaveAppliedWhenTheServerRefusesTheCaller() throws Exception {
        serveAfterALostAnswer(Response.of(401, ""));
        Path file = directory.resolve("j");
        try (KeyJournal journal = KeyJournal.open(file)) {
            assertUnknown(client().journal(journal).build(), charge().build());
        }
        try (KeyJournal journal = KeyJournal.open(file)) {
            HttpOperation resumed = journal.unfinished().get(0).resume(Map.of());
            assertUnknown(client().journal(journal).build(), resumed);
            assertThat(journal.unfinished()).hasSize(1);
        }
    }

    @Test
    void remembersWithoutAJournalThatTheSameOperationMayHaveBeenApplied() throws Exception {
        serveAfterALostAnswer(Response.of(401, ""));
        IdempotentHttpClient client = client().build();
        HttpOperation operation = charge().build();

        assertUnknown(client, operation);
        assertUnknown(client, operation);
        server.close();
        assertUnknown(client, operation);
        assertThatThrownBy(() -> client.send(charge().build())).isInstanceOf(NotAppliedException.class);
    }

    @Test
    void doesNotResumeWhatTheServerMayHaveForgotten() throws Exception {
        serve(Response.of(201, "").cutAt(0));
        FakeTimer timer = new FakeTimer();
        timer.pass(Duration.ofDays(36500));
        try (KeyJournal journal = KeyJournal.open(directory.resolve("j"))) {
            HttpOperation operation = charge().build();
            assertThatThrownBy(() -> client().journal(journal).build().send(operation))
                    .isInstanceOf(MaybeAppliedException.class);
            int sent = server.requests.size();
            assertThatThrownBy(
                            () -> client().journal(journal).timer(timer).build().send(operation))
                    .isInstanceOf(MaybeAppliedException.class)
                    .hasMessageContaining("may have forgotten its key");
            assertThat(server.requests).hasSize(sent);
            assertThat(journal.unfinished()).hasSize(1);
        }
    }

    @Test
    void stopsWhenItsThreadIsInterruptedAndKeepsTheOperation() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        server = new RawServer(request -> {
            never.await();
            return Response.of(201, "");
        });
        try (KeyJournal journal = KeyJournal.open(directory.resolve("j"))) {
            IdempotentHttpClient client = client().journal(journal).build();
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread sender = new Thread(() -> {
                try {
                    client.send(charge().build());
                } catch (Exception e) {
                    thrown.complete(e);
                }
            });
            sender.start();
            await().until(() -> !server.requests.isEmpty());
            sender.interrupt();
            assertThat(thrown.join()).isInstanceOf(InterruptedException.class);
            await().until(() -> journal.unfinished().size() == 1);
        }
    }

    @Test
    void refusesAnAddressWithoutAServer() {
        assertThatThrownBy(() -> HttpOperation.post(java.net.URI.create("/charges")))
                .hasMessageContaining("starts with http:// or https://");
    }
}
