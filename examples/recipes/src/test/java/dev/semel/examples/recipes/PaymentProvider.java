package dev.semel.examples.recipes;

import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Reconciler.Verdict;
import dev.semel.policy.Recovery;
import dev.semel.spi.KeyStore;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Calls a payment provider that takes keys and can be asked for a charge by its key. */
final class PaymentProvider implements AutoCloseable {

    /** The provider refused the card. */
    static final class CardDeclinedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        CardDeclinedException(String message) {
            super(message);
        }
    }

    private static final Duration LONGEST_QUEUE = Duration.ofMinutes(10);

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI provider;
    private final Semel semel;
    private final ExternalOperation<String> charge;

    PaymentProvider(KeyStore store, URI provider) {
        this.provider = provider;
        this.semel = Semel.builder(store).reconciler("charge", reconciler()).build();
        // quoted: operation
        ExternalPolicy policy = Policy.external("charge")
                .recovery(Recovery.RECONCILE)
                .retention(Duration.ofDays(3))
                .build();
        ExternalOperation<String> charge = semel.operation(policy, OutcomeCodec.text());
        // end
        this.charge = charge;
    }

    String charge(String merchant, String order, String cents) throws InterruptedException {
        // quoted: call
        return charge.run(
                        Key.of(merchant, order),
                        Fingerprint.of(order, cents),
                        attempt -> post(cents, attempt.childKey("charge")))
                .get();
        // end
    }

    // quoted: failures
    private String post(String cents, String key) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(provider.resolve("/charges"))
                .header("Idempotency-Key", key)
                .timeout(Duration.ofSeconds(10))
                .POST(BodyPublishers.ofString(cents))
                .build();
        HttpResponse<String> response;
        try {
            response = http.send(request, BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new NotExecutedException("the provider cannot be reached", e); // nothing was sent
        } catch (IOException e) {
            throw new OutcomeUnknownException("the provider did not answer", e); // it may have charged
        }
        return switch (response.statusCode()) {
            case 201 -> response.body();
            case 402 -> throw new CardDeclinedException(response.body()); // an outcome: retries get it, too
            default -> throw new OutcomeUnknownException("the provider answered " + response.statusCode(), null);
        };
    }
    // end

    private Reconciler reconciler() {
        // quoted: reconciler
        return lapsed -> {
            URI lookup = provider.resolve("/charges?key=" + lapsed.key().childValue("charge"));
            return http.sendAsync(HttpRequest.newBuilder(lookup).build(), BodyHandlers.ofString())
                    .thenApply(found -> switch (found.statusCode()) {
                        case 200 -> new Verdict.Done(OutcomeCodec.text().encode(found.body()));
                        case 404 ->
                            lapsed.age().compareTo(LONGEST_QUEUE) > 0
                                    ? new Verdict.NotExecuted()
                                    : new Verdict.CannotTell(); // it may still be on its way
                        default -> new Verdict.CannotTell();
                    });
        };
        // end
    }

    @Override
    public void close() {
        semel.close();
    }
}
