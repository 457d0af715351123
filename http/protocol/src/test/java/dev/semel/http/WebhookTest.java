package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Header;
import dev.semel.Semel;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.spool.Spool;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A provider that does not give up. */
class WebhookTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Semel semel =
            Semel.builder(InMemoryKeyStore.builder().clock(() -> now).build()).build();
    private final HttpGate gate = HttpGate.builder(semel)
            .clock(((InstantSource) () -> now).withZone(ZoneOffset.UTC))
            .build();
    private final HttpRules rules = HttpRules.builder(Policy.external("invoice-paid")
                    .recovery(Recovery.RE_EXECUTE)
                    .retention(Duration.ofDays(4))
                    .build())
            .dialect(Dialect.named("webhook"))
            .signatureSecrets(SECRET)
            .build();
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        semel.close();
    }

    private int deliver(String id, String body) throws Exception {
        String time = Long.toString(now.getEpochSecond());
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.substring(6)), "HmacSHA256"));
        String signature = Base64.getEncoder()
                .encodeToString(mac.doFinal((id + "." + time + "." + body).getBytes(StandardCharsets.UTF_8)));
        Map<String, List<String>> headers = Map.of(
                "webhook-id", List.of(id),
                "webhook-timestamp", List.of(time),
                "webhook-signature", List.of("v1," + signature),
                "Content-Type", List.of("application/json"));
        Exchange exchange = (Exchange) gate.admit(
                RequestHead.of("POST", "/webhooks", null, name -> headers.getOrDefault(name, List.of())), rules);
        try (Spool spool = Spool.of(1000)) {
            spool.offer(body.getBytes(StandardCharsets.UTF_8));
            Reply reply = exchange.run(null, spool, Runnable::run, attempt -> {
                        runs.incrementAndGet();
                        return CompletableFuture.completedFuture(
                                HandlerResponse.of(204, List.<Header>of(), new byte[0]));
                    })
                    .toCompletableFuture()
                    .join();
            return reply instanceof Reply.Instead instead ? instead.answer().status() : 204;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void receivesWhatIsRedeliveredForThreeDaysOnce() throws Exception {
        for (int hours = 0; hours <= 72; hours++) {
            assertThat(deliver("msg_1", "{\"amount\":1}"))
                    .as("after %d hours", hours)
                    .isEqualTo(204);
            now = now.plus(Duration.ofHours(1));
        }
        assertThat(deliver("msg_1", "{\"amount\":2}")).isEqualTo(200);
        assertThat(runs).hasValue(1);

        assertThat(deliver("msg_2", "{\"amount\":1}")).isEqualTo(204);
        assertThat(runs).hasValue(2);
    }

    @Test
    void needsSecretsAndTheRightToRunAgain() {
        Policy holds = Policy.external("invoice-paid").build();
        assertThatThrownBy(() -> HttpRules.builder(holds)
                        .dialect(Dialect.named("webhook"))
                        .signatureSecrets(SECRET)
                        .build())
                .hasMessageContaining("RE_EXECUTE");
        assertThatThrownBy(() -> HttpRules.builder(holds.toBuilder().build())
                        .dialect(Dialect.named("webhook"))
                        .build())
                .hasMessageContaining("secrets");
        assertThatThrownBy(
                        () -> HttpRules.builder(holds).signatureSecrets(SECRET).build())
                .hasMessageContaining("draft");
    }
}
