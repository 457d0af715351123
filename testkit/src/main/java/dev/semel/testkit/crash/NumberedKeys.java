package dev.semel.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Keys with a number, and the outcome that belongs to each. */
final class NumberedKeys {

    static final Retention RETENTION = Retention.of(Duration.ofHours(1));
    private static final int AT_ONCE = 64;

    private NumberedKeys() {}

    static ClaimRequest claim(long number) {
        return ClaimRequest.builder(Key.of("crash", "key-" + number), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(5))
                .build();
    }

    static Outcome outcome(long number) {
        return Outcome.succeeded()
                .payload(("outcome of " + number + " ").repeat(20).getBytes(StandardCharsets.UTF_8))
                .build();
    }

    /** Checks that a claim of each key gets its outcome, or, if its settle was not acknowledged, no second lease. */
    static void verify(KeyStore store, Map<Long, Boolean> settled) {
        List<Map.Entry<Long, Boolean>> all = List.copyOf(settled.entrySet());
        for (int start = 0; start < all.size(); start += AT_ONCE) {
            List<Map.Entry<Long, Boolean>> some = all.subList(start, Math.min(start + AT_ONCE, all.size()));
            List<CompletableFuture<Claim>> claims = some.stream()
                    .map(key -> store.claim(claim(key.getKey())).toCompletableFuture())
                    .toList();
            for (int i = 0; i < some.size(); i++) {
                verify(claims.get(i).join(), some.get(i).getKey(), some.get(i).getValue());
            }
        }
    }

    private static void verify(Claim claim, long number, boolean settled) {
        if (settled) {
            assertThat(claim).as("key %s, which was settled", number).isInstanceOf(Claim.Settled.class);
            assertThat(((Claim.Settled) claim).outcome()).isEqualTo(outcome(number));
        } else {
            assertThat(claim)
                    .as("key %s, which was claimed", number)
                    .isInstanceOfAny(Claim.InFlight.class, Claim.Settled.class);
        }
    }
}
