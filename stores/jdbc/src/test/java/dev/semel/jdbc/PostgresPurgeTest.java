package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.spi.Purging.Purged;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Purge of a table of more blocks than one statement walks. */
class PostgresPurgeTest {

    private static final int KEYS = 9_500;
    private static final int LEFT_PENDING = 100;
    private static final int LIMIT = 700;
    private static final Retention BRIEF = Retention.of(Duration.ofMinutes(1));

    private static TestDatabase database;

    @BeforeAll
    static void connect() {
        String name = TestPostgres.newDatabase();
        try (HikariDataSource admin = TestPostgres.pool(name, 1)) {
            TestDatabase.prepare(admin, name, Duration.ZERO);
        }
        database = TestDatabase.connect(TestPostgres.pool(name, 8));
    }

    @AfterAll
    static void disconnect() {
        database.close();
    }

    @Test
    void severalNodesRemoveEverythingThatExpiredOnceAndNothingElse() {
        try (JdbcKeyStore first = database.openStore();
                JdbcKeyStore second = database.openStore()) {
            List<CompletableFuture<Boolean>> settled = IntStream.range(0, KEYS)
                    .mapToObj(i -> first.claim(request(i))
                            .thenCompose(claim -> i < LEFT_PENDING
                                    ? CompletableFuture.completedStage(true)
                                    : first.settle(
                                            ((Claim.Acquired) claim).lease(),
                                            Outcome.succeeded().build(),
                                            BRIEF))
                            .toCompletableFuture())
                    .toList();
            assertThat(settled).allMatch(CompletableFuture::join);
            assertThat(purgeAll(first)).isZero();

            database.advance(Duration.ofMinutes(2));
            CompletableFuture<Long> besides = CompletableFuture.supplyAsync(() -> purgeAll(second));
            long removed = purgeAll(first) + besides.join();
            // What one node held while the other walked past it is left for the next time.
            removed += purgeAll(first);

            assertThat(removed).isEqualTo(KEYS - LEFT_PENDING);
            try (JdbcKeyStore fresh = database.openStore()) {
                assertThat(fresh.statistics().toCompletableFuture().join().keys())
                        .containsExactly(Map.entry(KeyState.LAPSED, (long) LEFT_PENDING));
            }
        }
    }

    private static long purgeAll(JdbcKeyStore store) {
        long removed = 0;
        Purged purged;
        do {
            purged = store.purge(LIMIT).toCompletableFuture().join();
            assertThat(purged.removed()).isLessThanOrEqualTo(LIMIT);
            removed += purged.removed();
        } while (purged.more());
        return removed;
    }

    private static ClaimRequest request(int number) {
        return new ClaimRequest(
                Key.of("tenant", "key-" + number),
                "charge",
                Fingerprint.of("body"),
                UUID.randomUUID(),
                Duration.ofSeconds(30),
                false,
                null);
    }
}
