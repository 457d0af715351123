package dev.semel.examples.payments;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Partners that outlive the payment service: both are in the process of the test. Not a component, so that no other test finds it. */
class PaymentPartners {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Bean
    @Primary
    FakeProcessor processor(@Value("${outside}") String outside) {
        return new FakeProcessor(Duration.ZERO, 0, Duration.ZERO) {
            @Override
            String charge(String key, String card, int cents) {
                return PaymentPartners.send(outside + "/charge/" + card + "/" + key);
            }
        };
    }

    @Bean
    @Primary
    FakeMailer mailer(@Value("${outside}") String outside) {
        return new FakeMailer() {
            @Override
            String send(String key, String to, String text) {
                return PaymentPartners.send(outside + "/mail/" + to + "/" + key);
            }
        };
    }

    private static String send(String uri) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).build();
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
