package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a receiver of webhooks. The only caller of its requests is the provider that signs them. */
abstract class WebhookConformance extends HttpSupport {

    private static final int AMOUNT = 100;

    private static Instant now() {
        return Instant.now();
    }

    private Client.Sending to(ExpectedWebhook webhook, Endpoint endpoint) {
        return client().post(endpoint.path(webhook.dialect())).token("");
    }

    private Client.Sending delivery(ExpectedWebhook webhook, Endpoint endpoint) {
        return webhook.deliver(to(webhook, endpoint), key, AMOUNT, now());
    }

    @ParameterizedTest
    @EnumSource
    void acknowledgesARedeliveryAndDoesNotRunItAgain(ExpectedWebhook webhook) {
        Received first = delivery(webhook, Endpoint.CHARGE).now().hasStatus(201);

        Received again = webhook.deliver(to(webhook, Endpoint.CHARGE), key, AMOUNT, now().minusSeconds(60))
                .now()
                .hasStatus(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource
    void acknowledgesAnIdWithAnotherBodyAndDoesNotRunIt(ExpectedWebhook webhook) {
        Received first = delivery(webhook, Endpoint.CHARGE).now().hasStatus(201);

        Received other = webhook.deliver(to(webhook, Endpoint.CHARGE), key, 2 * AMOUNT, now())
                .now()
                .hasStatus(200);
        assertThat(other.text()).contains("\"status\":\"received_before\"");
        assertThat(other.body()).isNotEqualTo(first.body());
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource
    void refusesAWrongSignatureBeforeItLooksAtTheId(ExpectedWebhook webhook) {
        webhook.forge(to(webhook, Endpoint.CHARGE), key, AMOUNT, now()).now().hasStatus(401);
        to(webhook, Endpoint.CHARGE).now().hasStatus(401);
        assertRuns(0);

        Received first = delivery(webhook, Endpoint.CHARGE).now().hasStatus(201);
        Received forged = webhook.forge(to(webhook, Endpoint.CHARGE), key, AMOUNT, now())
                .now()
                .hasStatus(401);
        assertThat(forged.text()).doesNotContain(first.text());
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignatureOfAnotherTime(ExpectedWebhook webhook) {
        assumeThat(webhook.hasTime()).as("a time in the signature").isTrue();
        for (Duration off : new Duration[] {Duration.ofMinutes(6), Duration.ofMinutes(-6)}) {
            webhook.deliver(to(webhook, Endpoint.CHARGE), key, AMOUNT, now().minus(off))
                    .now()
                    .hasStatus(401);
        }
        assertRuns(0);
    }

    @ParameterizedTest
    @EnumSource
    void acceptsOneOfSeveralSignatures(ExpectedWebhook webhook) {
        assumeThat(webhook.hasSeveral()).as("several signatures").isTrue();

        webhook.deliverWithBothSecrets(to(webhook, Endpoint.CHARGE), key, AMOUNT, now())
                .now()
                .hasStatus(201);
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource
    void asksForAnotherDeliveryWhileTheFirstIsWorkedOn(ExpectedWebhook webhook) {
        CompletableFuture<Received> slow = delivery(webhook, Endpoint.SLOW).later();
        awaitRuns(1);

        delivery(webhook, Endpoint.SLOW).now().hasStatus(503).hasRetryAfter();
        end(slow);
        delivery(webhook, Endpoint.SLOW).now().hasStatus(201);
        assertRuns(1);
    }

    @ParameterizedTest
    @EnumSource
    void runsADeliveryAgainThatHasFailed(ExpectedWebhook webhook) {
        webhook.deliver(failing(webhook), key, AMOUNT, now()).now().hasStatus(500);

        Awaitility.await()
                .atMost(PATIENCE)
                .until(
                        () -> webhook.deliver(failing(webhook), key, AMOUNT, now())
                                .now()
                                .text(),
                        "run 2"::equals);
        assertRuns(2);
    }

    private Client.Sending failing(ExpectedWebhook webhook) {
        return client().post(Endpoint.STATUS.path(webhook.dialect()) + "?code=500")
                .token("");
    }
}
