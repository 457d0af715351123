package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stripe.StripeClient;
import com.stripe.exception.IdempotencyException;
import com.stripe.exception.StripeException;
import com.stripe.model.PaymentIntent;
import com.stripe.net.RequestOptions;
import com.stripe.param.PaymentIntentCreateParams;
import dev.semel.gateway.StripeBench.Network;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stripe's own Java library, with its own retries, through a bad network and a gateway that speaks its dialect. */
class StripeSdkTest {

    private StripeBench bench;
    private StripeClient client;

    @BeforeEach
    void start() throws IOException {
        bench = new StripeBench();
        client = StripeClient.builder()
                .setApiKey("sk_test_1")
                .setApiBase(bench.uri().toString())
                .setReadTimeout(StripeBench.READ_TIMEOUT)
                .setMaxNetworkRetries(6)
                .build();
    }

    @AfterEach
    void stop() {
        bench.close();
    }

    private PaymentIntent pay(int order, String description) throws StripeException {
        return pay(order, description, RequestOptions.getDefault());
    }

    private PaymentIntent pay(int order, String description, RequestOptions options) throws StripeException {
        return client.v1()
                .paymentIntents()
                .create(
                        PaymentIntentCreateParams.builder()
                                .setAmount(2000L)
                                .setCurrency("eur")
                                .setDescription(description)
                                .putMetadata("order", Integer.toString(order))
                                .build(),
                        options);
    }

    private static RequestOptions key(String key) {
        return RequestOptions.builder().setIdempotencyKey(key).build();
    }

    @Test
    void hasOneEffectPerCall() throws StripeException {
        List<List<Network>> plans = List.of(
                List.of(Network.FINE),
                List.of(Network.LOSES_REQUEST),
                List.of(Network.LOSES_ANSWER),
                List.of(Network.LOSES_ANSWER, Network.LOSES_REQUEST, Network.BAD_GATEWAY),
                List.of(Network.SILENT_MEANWHILE));
        for (int order = 0; order < plans.size(); order++) {
            bench.plan(order, plans.get(order));
            PaymentIntent made = pay(order, plans.get(order).contains(Network.SILENT_MEANWHILE) ? "slow" : "quick");

            assertThat(made.getId()).isEqualTo("pi_" + order + "_1");
            assertThat(bench.effects(order)).isEqualTo(1);
            assertThat(bench.attempts(order)).isGreaterThan(plans.get(order).contains(Network.FINE) ? 0 : 1);
        }
    }

    @Test
    void twoCallsAreTwoEffects() throws StripeException {
        assertThat(pay(1, "quick").getId()).isEqualTo("pi_1_1");
        assertThat(pay(1, "quick").getId()).isEqualTo("pi_1_2");
    }

    @Test
    void theSameKeyGetsTheFirstAnswer() throws StripeException {
        assertThat(pay(1, "quick", key("k1")).getId()).isEqualTo("pi_1_1");

        PaymentIntent again = pay(1, "quick", key("k1"));
        assertThat(again.getId()).isEqualTo("pi_1_1");
        assertThat(again.getLastResponse().headers().firstValue("Idempotent-Replayed"))
                .contains("true");
        assertThat(bench.effects(1)).isEqualTo(1);
    }

    @Test
    void throwsItsIdempotencyErrorForAnotherBody() throws StripeException {
        pay(1, "quick", key("k1"));

        assertThatThrownBy(() -> pay(2, "quick", key("k1"))).isInstanceOf(IdempotencyException.class);
        assertThat(bench.effects(2)).isZero();
        assertThat(bench.attempts(2)).as("requests that were sent").isEqualTo(1);
    }
}
