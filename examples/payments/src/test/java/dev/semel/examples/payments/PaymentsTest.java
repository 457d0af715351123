package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.check.CheckTarget;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.check.SafeToRetry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the service promises, through a socket and on PostgreSQL. */
class PaymentsTest implements SafeToRetry {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String BODY =
            "{\"item\":\"book\",\"cents\":1999,\"card\":\"4242\",\"email\":\"alice@example.com\"}";

    private static ConfigurableApplicationContext application;
    private static HttpServer charges;

    private final String key = UUID.randomUUID().toString();
    private FakeProcessor processor;

    @BeforeAll
    static void start() throws IOException {
        application = new SpringApplicationBuilder(PaymentsApplication.class)
                .properties(
                        "server.port=0",
                        "processor.latency=100ms",
                        "processor.lost-answers=0",
                        "processor.longest-queue=4s",
                        "semel.lease=1s",
                        "semel.maintenance-interval=500ms")
                .run();
        charges = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        charges.createContext("/", PaymentsTest::countCharges);
        charges.start();
    }

    private static void countCharges(HttpExchange exchange) throws IOException {
        byte[] count = Integer.toString(application.getBean(FakeProcessor.class).chargesMade())
                .getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(200, count.length);
            exchange.getResponseBody().write(count);
        }
    }

    @AfterAll
    static void stop() {
        charges.stop(0);
        application.close();
    }

    @BeforeEach
    void reset() {
        processor = application.getBean(FakeProcessor.class);
        processor.loseAnswers(0);
    }

    /** The cases of {@code semel check}. */
    @Override
    public CheckTarget target() {
        return CheckTarget.builder(uri("/payments"))
                .body(BODY)
                .badBody(BODY.replace("4242", "0000"))
                .effectsUri("http://127.0.0.1:" + charges.getAddress().getPort() + "/")
                .callerA("Authorization", credentials("alice"))
                .callerB("Authorization", credentials("bob"))
                .keyRequired(true)
                .build();
    }

    @Test
    void aRetryAfterATimeoutGetsTheStoredResponse() {
        int charges = processor.chargesMade();
        HttpResponse<String> first = post("/payments", BODY).join();
        HttpResponse<String> second = post("/payments", BODY).join();

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertThat(processor.chargesMade()).isEqualTo(charges + 1);
    }

    @Test
    void ofTwoAtOnceOneRunsAndTheOtherGetsRetryAfter() {
        long orders = orders();
        List<CompletableFuture<HttpResponse<String>>> both = new ArrayList<>();
        both.add(post("/payments", BODY));
        both.add(post("/payments", BODY));

        List<HttpResponse<String>> answers =
                both.stream().map(CompletableFuture::join).toList();

        assertThat(answers).extracting(HttpResponse::statusCode).contains(201).isSubsetOf(201, 409);
        assertThat(answers.stream()
                        .filter(answer -> answer.statusCode() == 201)
                        .map(HttpResponse::body)
                        .distinct())
                .hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.statusCode() == 409)
                .allSatisfy(answer ->
                        assertThat(answer.headers().firstValue("Retry-After")).isPresent());
        assertThat(orders()).isEqualTo(orders + 1);
        assertThat(keys()).isEqualTo(1);
    }

    @Test
    void afterACrashAnotherAttemptContinuesBehindTheLastStep() {
        int charges = processor.chargesMade();
        long orders = orders();
        // Every answer is lost, so that the attempt ends without an outcome, as if its process had died.
        processor.loseAnswers(1);
        post("/payments", BODY).join();
        processor.loseAnswers(0);

        HttpResponse<String> settled = await().atMost(Duration.ofSeconds(30))
                .until(() -> post("/payments", BODY).join(), answer -> answer.statusCode() != 409);

        assertThat(settled.statusCode()).isEqualTo(201);
        assertThat(processor.chargesMade()).isEqualTo(charges + 1);
        assertThat(orders()).isEqualTo(orders + 1);
    }

    @Test
    void theSameKeyWithAnotherBodyIsRefused() {
        post("/payments", BODY).join();

        HttpResponse<String> other =
                post("/payments", BODY.replace("1999", "1")).join();

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains("key-reused");
    }

    @Test
    void aRetryOfAFailedPaymentGetsTheStoredError() {
        String declined = BODY.replace("4242", "0000");
        HttpResponse<String> first = post("/payments", declined).join();
        HttpResponse<String> second = post("/payments", declined).join();

        assertThat(first.statusCode()).isEqualTo(402);
        assertThat(second.statusCode()).isEqualTo(402);
        assertThat(second.body()).isEqualTo(first.body()).contains("declined");
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    }

    @Test
    void aKeyThatIsSettledIsNotRun() throws Exception {
        long orders = orders();
        KeyStore store = application.getBean(KeyStore.class);
        // A fingerprint of another version, since this test does not know how requests are fingerprinted.
        ClaimRequest request = ClaimRequest.builder(
                        Key.of("alice", key),
                        "payment",
                        Fingerprint.of(200, new byte[0]).forOperation("http"))
                .lease(Duration.ofSeconds(30))
                .build();
        Claim.Acquired claim =
                (Claim.Acquired) store.claim(request).toCompletableFuture().get();
        Outcome outcome = Outcome.succeeded().status(201).payload("as before").build();
        store.settle(claim.lease(), outcome, Retention.of(Duration.ofHours(1)))
                .toCompletableFuture()
                .get();

        HttpResponse<String> answer = post("/payments", BODY).join();

        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo("as before");
        assertThat(orders()).isEqualTo(orders);
    }

    @Test
    void aRefundWhoseAnswerWasLostIsReconciledAndNotMadeTwice() {
        int refunds = processor.refundsMade();
        processor.loseAnswers(1);
        post("/payments/ch_1/refund", "").join();
        processor.loseAnswers(0);

        HttpResponse<String> settled = await().atMost(Duration.ofSeconds(30))
                .until(() -> post("/payments/ch_1/refund", "").join(), answer -> answer.statusCode() == 200);

        assertThat(settled.body()).startsWith("re_");
        assertThat(processor.refundsMade()).isEqualTo(refunds + 1);
    }

    @Test
    void aRefundThatIsStillQueuedIsNotMadeTwice() {
        int refunds = processor.refundsMade();
        processor.queueNextRefund();
        post("/payments/ch_2/refund", "").join();
        // Retries arrive after the lease, and the processor has nothing to show yet.
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            post("/payments/ch_2/refund", "").join();
            return state() != KeyState.PENDING && state() != KeyState.LAPSED;
        });
        processor.doWhatIsQueued();

        HttpResponse<String> settled = await().atMost(Duration.ofSeconds(30))
                .until(() -> post("/payments/ch_2/refund", "").join(), answer -> answer.statusCode() == 200);

        assertThat(settled.body()).startsWith("re_");
        assertThat(processor.refundsMade()).isEqualTo(refunds + 1);
    }

    @Test
    void aRefundThatNeverArrivedIsMadeOnceNoQueueCanStillHoldIt() {
        int refunds = processor.refundsMade();
        processor.queueNextRefund();
        post("/payments/ch_3/refund", "").join();
        processor.dropWhatIsQueued();

        HttpResponse<String> settled = await().atMost(Duration.ofSeconds(30))
                .until(() -> post("/payments/ch_3/refund", "").join(), answer -> answer.statusCode() == 200);

        assertThat(settled.body()).startsWith("re_");
        assertThat(processor.refundsMade()).isEqualTo(refunds + 1);
    }

    private KeyState state() {
        return application
                .getBean(Semel.class)
                .find(Key.of("alice", key))
                .toCompletableFuture()
                .join()
                .orElseThrow()
                .state();
    }

    @Test
    void callersDoNotMeet() {
        HttpResponse<String> alice = post("/payments", BODY).join();
        HttpResponse<String> bob =
                send("bob", "/payments", BODY.replace("4242", "4243")).join();

        assertThat(bob.statusCode()).isEqualTo(201);
        assertThat(bob.body()).isNotEqualTo(alice.body());
    }

    @Test
    void everyPartHappensOncePerPayment() {
        int mails = application.getBean(FakeMailer.class).mailsSent();
        int charges = processor.chargesMade();
        long orders = orders();

        post("/payments", BODY).join();
        post("/payments", BODY).join();

        assertThat(application.getBean(FakeMailer.class).mailsSent()).isEqualTo(mails + 1);
        assertThat(processor.chargesMade()).isEqualTo(charges + 1);
        assertThat(orders()).isEqualTo(orders + 1);
    }

    @Test
    void onlyAnOperatorSeesAndResolvesKeysOfOthers() throws Exception {
        assertThat(keysSeenBy("alice").statusCode()).isEqualTo(403);
        assertThat(post("/actuator/semel/any", "{}").join().statusCode()).isEqualTo(403);
        assertThat(keysSeenBy("operator").statusCode()).isEqualTo(200);
    }

    private static HttpResponse<String> keysSeenBy(String caller) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri("/actuator/semel"))
                .header("Authorization", credentials(caller))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private CompletableFuture<HttpResponse<String>> post(String path, String body) {
        return send("alice", path, body);
    }

    private CompletableFuture<HttpResponse<String>> send(String caller, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", credentials(caller))
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(String path) {
        return URI.create(
                "http://127.0.0.1:" + application.getEnvironment().getRequiredProperty("local.server.port") + path);
    }

    private static String credentials(String caller) {
        return "Basic " + Base64.getEncoder().encodeToString((caller + ":secret").getBytes(StandardCharsets.UTF_8));
    }

    private long orders() {
        return database().sql("SELECT count(*) FROM orders").query(Long.class).single();
    }

    private long keys() {
        return database()
                .sql("SELECT count(*) FROM semel_key WHERE scope = 'alice' AND key = ?")
                .param(key)
                .query(Long.class)
                .single();
    }

    private static JdbcClient database() {
        return application.getBean(JdbcClient.class);
    }
}
