package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import dev.semel.store.StoreException;
import dev.semel.testservers.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A database that is restored from an older copy is noticed, and refuses claims until somebody acknowledges it. */
abstract class RestoreContract {

    private static final Duration OFTEN = Duration.ofMillis(100);
    private static final Duration NEVER = Duration.ofHours(1);

    abstract DataSource dataSource();

    /** Beside the database, for one that is a file. */
    @Nullable
    Path file() {
        return null;
    }

    /** Makes a copy of everything. */
    abstract void dump() throws Exception;

    /** Puts the copy in the place of what is there. */
    abstract void restore() throws Exception;

    private RestoreGuard open(Duration interval) {
        JdbcKeyStore store =
                JdbcKeyStore.builder(dataSource()).createIfMissing().build();
        return RestoreGuard.around(store, dataSource(), file(), interval);
    }

    @Test
    void aRestoredDumpIsRefusedByANodeThatStartsAfterIt() throws Exception {
        try (RestoreGuard store = open(NEVER)) {
            settle(store, "before the dump");
            dump();
        }
        try (RestoreGuard store = open(NEVER)) {
            settle(store, "after the dump");
        }
        restore();

        try (RestoreGuard store = open(NEVER)) {
            assertThat(store.loss()).isPresent();
            assertThatThrownBy(() -> claim(store, "after the dump"))
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isExactlyInstanceOf(StoreException.class)
                    .hasMessageContaining("restored from an older copy")
                    .hasMessageContaining("acknowledge-loss");
        }
        try (RestoreGuard store = open(NEVER)) {
            assertThat(store.loss()).isPresent();
            assertThat(store.acknowledgeLoss()).isTrue();
            assertThat(store.loss()).isEmpty();
            assertThat(claim(store, "before the dump")).isInstanceOf(Claim.Settled.class);
            assertThat(claim(store, "after the dump")).isInstanceOf(Claim.Acquired.class);
            assertThat(store.acknowledgeLoss()).isFalse();
        }
        try (RestoreGuard store = open(NEVER)) {
            assertThat(store.loss()).isEmpty();
        }
    }

    @Test
    void aStartWithoutARestoreIsNotRefused() throws Exception {
        try (RestoreGuard store = open(NEVER)) {
            settle(store, "k");
        }
        try (RestoreGuard store = open(OFTEN);
                RestoreGuard other = open(OFTEN)) {
            assertThat(claim(store, "k")).isInstanceOf(Claim.Settled.class);
            assertThat(claim(other, "l")).isInstanceOf(Claim.Acquired.class);
            assertThat(store.loss()).isEmpty();
            assertThat(other.loss()).isEmpty();
        }
    }

    @Test
    void aRestoreBeneathRunningNodesIsRefusedByAllUntilOneAcknowledges() throws Exception {
        try (RestoreGuard store = open(OFTEN);
                RestoreGuard other = open(OFTEN)) {
            settle(store, "before the dump");
            dump();
            settle(store, "after the dump");
            long dumped = beats();
            await().until(() -> beats() > dumped + 4);

            restore();

            await().until(() -> store.loss().isPresent() && other.loss().isPresent());
            assertThat(store.acknowledgeLoss()).isTrue();
            await().until(() -> other.loss().isEmpty());
            assertThat(claim(other, "after the dump")).isInstanceOf(Claim.Acquired.class);
        }
    }

    private long beats() {
        return TestPostgres.number(dataSource(), "SELECT beat FROM semel_key_epoch");
    }

    static Claim claim(KeyStore store, String key) {
        return store.claim(ClaimRequest.builder(Key.of("scope", key), "charge", Fingerprint.of(key))
                        .lease(Duration.ofMinutes(1))
                        .build())
                .toCompletableFuture()
                .join();
    }

    static void settle(KeyStore store, String key) {
        Claim.Acquired acquired = (Claim.Acquired) claim(store, key);
        assertThat(store.settle(
                                acquired.lease(),
                                Outcome.succeeded().payload(key).build(),
                                Retention.of(Duration.ofDays(1)))
                        .toCompletableFuture()
                        .join())
                .isTrue();
    }
}
