package dev.semel.bench.stores;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.bench.design.SemelDesign;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A claim and a settle on any store, as the engine sends them. */
record StoreCycle(KeyStore store) {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Retention RETENTION = Retention.of(Duration.ofHours(24));
    private static final Fingerprint FINGERPRINT = Fingerprint.of("the request");

    CompletionStage<?> run(String key) {
        ClaimRequest request = ClaimRequest.builder(Key.of("customer-17", key), "charge", FINGERPRINT)
                .lease(LEASE)
                .build();
        return store.claim(request).thenCompose(claim -> {
            if (!(claim instanceof Claim.Acquired acquired)) {
                throw new IllegalStateException("key " + key + " was not free: " + claim);
            }
            return store.settle(acquired.lease(), SemelDesign.outcome(key), RETENTION)
                    .thenAccept(held -> {
                        if (!held) {
                            throw new IllegalStateException("key " + key + " was not settled");
                        }
                    });
        });
    }
}
