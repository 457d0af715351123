package dev.semel.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.dialect.TableName;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.StoreStatistics;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class SqliteStatisticsTest {

    private static final TableName TABLE = new TableName(null, "semel_key");
    private static final int SETTLED = 25;

    @TempDir
    Path directory;

    @Test
    void countsALargeTableInRoundsAndWhatHasNoOutcomeEachTime() throws Exception {
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + directory.resolve("keys.db"));
        try (JdbcKeyStore store =
                        JdbcKeyStore.builder(database).createIfMissing().build();
                Connection connection = database.getConnection()) {
            for (int i = 0; i < SETTLED; i++) {
                settle(store, claim(store, "settled-" + i));
            }
            Lease pending = claim(store, "pending");
            store.abandon(claim(store, "unknown")).toCompletableFuture().join();

            StoreStatistics whole = new SqliteStatistics(TABLE).read(connection);
            assertThat(whole.exact()).isTrue();
            assertThat(whole.keys())
                    .containsOnly(
                            Map.entry(KeyState.PENDING, 1L),
                            Map.entry(KeyState.UNKNOWN, 1L),
                            Map.entry(KeyState.SUCCEEDED, (long) SETTLED));

            SqliteStatistics rounds = new SqliteStatistics(TABLE, 10);
            assertThat(rounds.read(connection).keys()).containsEntry(KeyState.SUCCEEDED, 10L);
            rounds.read(connection);
            StoreStatistics third = rounds.read(connection);
            assertThat(third.exact()).isFalse();
            assertThat(third.keys()).isEqualTo(whole.keys());

            settle(store, pending);
            StoreStatistics next = rounds.read(connection);
            assertThat(next.keys()).doesNotContainKey(KeyState.PENDING);
            assertThat(next.keys()).containsEntry(KeyState.SUCCEEDED, (long) SETTLED);
        }
    }

    private static Lease claim(JdbcKeyStore store, String value) {
        ClaimRequest request = ClaimRequest.builder(Key.of("scope", value), "charge", Fingerprint.of(value))
                .lease(Duration.ofMinutes(1))
                .build();
        return ((Claim.Acquired) store.claim(request).toCompletableFuture().join()).lease();
    }

    private static void settle(JdbcKeyStore store, Lease lease) {
        store.settle(lease, Outcome.succeeded().build(), Retention.of(Duration.ofHours(1)))
                .toCompletableFuture()
                .join();
    }
}
