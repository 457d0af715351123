package dev.semel.spring.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.http.HttpEvent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** What each setting and attribute that concerns dialects does, through a socket. */
abstract class DialectContract {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String PAGES = "https://docs.example.org/problems";

    private final ConfigurableApplicationContext context;
    private final DialectHandlers handlers;
    private final String key = UUID.randomUUID().toString();

    DialectContract(ConfigurableApplicationContext context) {
        this.context = context;
        this.handlers = context.getBean(DialectHandlers.class);
    }

    @BeforeEach
    void begin() {
        handlers.runs.set(0);
        handlers.gate = new CompletableFuture<>();
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(
                "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port") + path));
    }

    private HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request =
                to(path).header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    private HttpResponse<String> keyed(String path, String body) throws Exception {
        return post(path, body, "X-Request-Key", key);
    }

    @Test
    void theConfiguredDialectIsSpoken() throws Exception {
        keyed("/configured", "{\"a\":1}");
        HttpResponse<String> other = keyed("/configured", "{\"a\":2}");

        assertThat(other.statusCode()).isEqualTo(400);
        assertThat(other.body()).startsWith("{\"error\":{\"type\":\"idempotency_error\"");
        assertThat(other.headers().firstValue("Content-Language")).hasValue("en");
        assertThat(handlers.runs).hasValue(1);
    }

    @Test
    void anAnnotationNamesItsOwnDialect() throws Exception {
        keyed("/acp", "{\"a\":1}");
        HttpResponse<String> other = keyed("/acp", "{\"a\":2}");
        HttpResponse<String> none = post("/acp", "{}");

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains("\"code\":\"idempotency_conflict\"");
        assertThat(none.statusCode()).isEqualTo(400);
        assertThat(none.body()).contains("idempotency_key_required");
    }

    @Test
    void aBeanCanBeADialect() throws Exception {
        keyed("/own", "{\"a\":1}");
        HttpResponse<String> other = keyed("/own", "{\"a\":2}");

        assertThat(other.statusCode()).isEqualTo(418);
        assertThat(other.body()).isEqualTo("{\"code\":\"token_reused\"}");
    }

    @Test
    void aReplayHasBothMarksAndIsAnEventForTheAuditLog() throws Exception {
        DialectHandlers.AuditLog log = context.getBean(DialectHandlers.AuditLog.class);
        HttpResponse<String> first = keyed("/draft", "{}");
        HttpResponse<String> replay = keyed("/draft", "{}");

        assertThat(replay.body()).isEqualTo(first.body());
        for (String marker : List.of("Idempotent-Replayed", "X-Idempotent-Replayed")) {
            assertThat(first.headers().firstValue(marker)).isEmpty();
            assertThat(replay.headers().allValues(marker)).containsExactly("true");
        }
        assertThat(log.events())
                .filteredOn(event -> event instanceof HttpEvent.Replayed replayed
                        && replayed.operation().equals("draft")
                        && replayed.key().value().equals(key))
                .hasSize(1);
    }

    @Test
    void problemsLeadToTheirPageAndToTheDocumentation() throws Exception {
        HttpResponse<String> first = keyed("/draft", "{\"a\":1}");
        HttpResponse<String> other = keyed("/draft", "{\"a\":2}");

        assertThat(first.headers().firstValue("Idempotency-Expires")).isPresent();
        assertThat(other.body()).startsWith("{\"type\":\"" + PAGES + "#key-reused\"");
        assertThat(other.headers().firstValue("Link").orElseThrow()).startsWith("<https://docs.example.org/keys>");
    }

    @Test
    void keysHaveTheFormAndLengthThatIsAskedFor() throws Exception {
        assertThat(post("/format", "{}", "X-Request-Key", "not-a-uuid").statusCode())
                .isEqualTo(400);
        assertThat(keyed("/format", "{}").statusCode()).isEqualTo(200);
        assertThat(post("/draft", "{}", "X-Request-Key", "k".repeat(41)).statusCode())
                .isEqualTo(400);
        assertThat(handlers.runs).hasValue(1);
    }

    @Test
    void aKeyThatIsTooOldByItsHeaderIsRefused() throws Exception {
        assertThat(timed(Duration.ofMinutes(62)).statusCode()).isEqualTo(410);
        assertThat(timed(Duration.ofMinutes(-2)).statusCode()).isEqualTo(400);
        assertThat(keyed("/timed", "{}").statusCode()).isEqualTo(400);
        assertThat(handlers.runs).hasValue(0);
        assertThat(timed(Duration.ofMinutes(58)).statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> timed(Duration age) throws Exception {
        return post(
                "/timed",
                "{}",
                "X-Request-Key",
                key,
                "X-First-Sent",
                DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        Instant.now().minus(age).atOffset(ZoneOffset.UTC)));
    }

    @Test
    void whatIsNeverStoredIsNotReplayed() throws Exception {
        HttpResponse<String> first = keyed("/redacted", "{}");
        HttpResponse<String> replay = keyed("/redacted", "{}");

        assertThat(first.body()).isEqualTo("{\"run\":1,\"card\":\"4242\"}");
        assertThat(first.headers().firstValue("ETag")).isPresent();
        assertThat(replay.body()).isEqualTo("{\"run\":1,\"card\":\"[not stored]\"}");
        assertThat(replay.headers().firstValue("ETag")).isEmpty();
    }

    @Test
    void aCallerWhoseRightsWereWithdrawnGetsNoReplay() throws Exception {
        keyed("/draft", "{}");
        HttpResponse<String> denied = post("/draft", "{}", "X-Request-Key", key, "X-Rights", DialectHandlers.WITHDRAWN);

        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(denied.body()).contains(PAGES + "#replay-denied").doesNotContain("4242");
    }

    @Test
    void aRequestThatNeedsNoKeyPasses() throws Exception {
        assertThat(post("/optional", "{}").body()).contains("\"run\":1");
        assertThat(post("/optional", "{}").body()).contains("\"run\":2");
        assertThat(keyed("/optional", "{}").body())
                .isEqualTo(keyed("/optional", "{}").body());
    }

    @Test
    void aHashOfTheBodyProtectsAClientThatSendsNoKey() throws Exception {
        String body = "{\"order\":\"" + key + "\"}";
        assertThat(post("/hashed", body).body()).isEqualTo(post("/hashed", body).body());
        assertThat(handlers.runs).hasValue(1);
    }

    @Test
    void aClientIsAnsweredEarlyAndAsksInTheWordsOfTheDialect() throws Exception {
        HttpResponse<String> accepted = post("/async", "{}", "X-Request-Key", key, "Prefer", "respond-async");
        String location = accepted.headers().firstValue("Location").orElseThrow();

        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(send(to(location)).statusCode()).isEqualTo(202);
        HttpResponse<String> withdrawn;
        handlers.gate.complete(null);
        await().until(() -> send(to(location)).statusCode() == 200);
        withdrawn = send(to(location).header("X-Rights", DialectHandlers.WITHDRAWN));
        assertThat(send(to(location)).body()).contains("\"run\":1");
        assertThat(withdrawn.statusCode()).isEqualTo(403);
        assertThat(withdrawn.body()).startsWith("{\"error\":{");
    }

    @Test
    void aWebhookIsKnownByItsSignature() throws Exception {
        String body = "{\"id\":1}";
        assertThat(deliver(body, DialectHandlers.SECRET).statusCode()).isEqualTo(200);
        assertThat(deliver(body, DialectHandlers.SECRET).body()).contains("\"run\":1");
        assertThat(deliver(body, "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=").statusCode())
                .isEqualTo(401);
        assertThat(deliver("{\"id\":2}", DialectHandlers.SECRET).body()).contains("received_before");
        assertThat(handlers.runs).hasValue(1);
    }

    private HttpResponse<String> deliver(String body, String secret) throws Exception {
        long time = Instant.now().getEpochSecond();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        byte[] signature = mac.doFinal((key + "." + time + "." + body).getBytes(StandardCharsets.UTF_8));
        // The dialect's own header is not used where another one is configured for all of them.
        return post(
                "/event",
                body,
                "X-Request-Key",
                key,
                "webhook-id",
                key,
                "webhook-timestamp",
                Long.toString(time),
                "webhook-signature",
                "v1," + Base64.getEncoder().encodeToString(signature));
    }
}
