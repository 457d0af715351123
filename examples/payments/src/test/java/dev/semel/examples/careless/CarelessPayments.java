package dev.semel.examples.careless;

import dev.semel.policy.Recovery;
import dev.semel.spring.Idempotent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Says that it may run again after a crash, and charges the card with each run. */
@RestController
public class CarelessPayments {

    private final Provider provider;

    CarelessPayments(Provider provider) {
        this.provider = provider;
    }

    @Idempotent(value = "careless", recovery = Recovery.RE_EXECUTE)
    @PostMapping("/careless/{card}")
    String pay(@PathVariable String card) throws Exception {
        return provider.charge(card);
    }

    /** Has no child key to send, and so cannot know a charge that it was asked for before. */
    static class Provider {

        private static final HttpClient CLIENT = HttpClient.newHttpClient();

        private final String url;

        Provider(String url) {
            this.url = url;
        }

        String charge(String card) throws IOException, InterruptedException {
            URI uri = URI.create(url + "/charge/" + card + "/" + UUID.randomUUID());
            return CLIENT.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    /** Brings the provider. */
    public static class Configuration {

        @Bean
        Provider provider(@Value("${outside}") String outside) {
            return new Provider(outside);
        }
    }
}
