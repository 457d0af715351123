package dev.semel.jdbc;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.spi.ClaimRequest;
import java.time.Duration;

/** Claims of keys that have a number. */
public final class NumberedClaims {

    private NumberedClaims() {}

    public static ClaimRequest claim(long number) {
        return request(number, false);
    }

    public static ClaimRequest takeover(long number) {
        return request(number, true);
    }

    private static ClaimRequest request(long number, boolean takeOver) {
        return ClaimRequest.builder(Key.of("node", "key-" + number), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(5))
                .takeOver(takeOver)
                .build();
    }
}
