package dev.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** A process that claims and settles as fast as it can and says what it was told is stored, until somebody kills it. */
final class CrashingNode {

    private static final int IN_FLIGHT = 64;

    private CrashingNode() {}

    static Key key(long number) {
        return Key.of("node", "key-" + number);
    }

    static byte[] payload(long number) {
        return ("outcome of " + number + " ").repeat(20).getBytes(StandardCharsets.UTF_8);
    }

    static ClaimRequest claim(long number) {
        return request(number, false);
    }

    static ClaimRequest takeover(long number) {
        return request(number, true);
    }

    private static ClaimRequest request(long number, boolean takeOver) {
        return ClaimRequest.builder(key(number), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(5))
                .takeOver(takeOver)
                .build();
    }

    /** Prints {@code C n} when the claim of key n was acknowledged, and {@code S n} when its settle was. */
    public static void main(String[] args) throws InterruptedException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[0]);
        config.setUsername(args[1]);
        PrintStream acknowledged = System.out;
        Semaphore places = new Semaphore(IN_FLIGHT);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcKeyStore store = JdbcKeyStore.builder(pool).build()) {
            for (long i = Long.parseLong(args[2]); ; i++) {
                long number = i;
                places.acquire();
                store.claim(claim(number))
                        .thenCompose(claim -> {
                            acknowledged.println("C " + number);
                            return store.settle(
                                    ((Claim.Acquired) claim).lease(),
                                    Outcome.succeeded().payload(payload(number)).build(),
                                    Retention.of(Duration.ofHours(1)));
                        })
                        .thenAccept(settled -> acknowledged.println((settled ? "S " : "LOST ") + number))
                        .whenComplete((done, failure) -> places.release());
            }
        }
    }
}
