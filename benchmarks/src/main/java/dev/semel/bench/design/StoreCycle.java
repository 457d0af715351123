package dev.semel.bench.design;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.bench.measure.Payload;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A claim and a settle on any store, as the engine sends them. */
public record StoreCycle(KeyStore store, Retention retention) {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Fingerprint FINGERPRINT = Fingerprint.of("the request");

    public StoreCycle(KeyStore store) {
        this(store, Retention.of(Duration.ofHours(24)));
    }

    public static ClaimRequest request(String key) {
        return ClaimRequest.builder(Key.of("customer-17", key), "charge", FINGERPRINT)
                .lease(LEASE)
                .build();
    }

    static Outcome outcome(String key) {
        return Outcome.succeeded()
                .status(201)
                .contentType("application/json")
                .payload(Payload.of(key))
                .build();
    }

    public CompletionStage<?> run(String key) {
        return store.claim(request(key)).thenCompose(claim -> settle(key, claim));
    }

    /** Settles a key that must just have been acquired. */
    public CompletionStage<?> settle(String key, Claim claim) {
        if (!(claim instanceof Claim.Acquired acquired)) {
            throw new IllegalStateException("key " + key + " was not free: " + claim);
        }
        return store.settle(acquired.lease(), outcome(key), retention)
                .thenAccept(held -> Design.require(held, key, "was not settled"));
    }
}
