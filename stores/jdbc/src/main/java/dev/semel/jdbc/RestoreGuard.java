package dev.semel.jdbc;

import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.epoch.EpochCheck;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardedCall;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that refuses claims when its database was restored from an older copy, until an operator acknowledges that.
 *
 * <p>Such a database has forgotten keys whose outcome was stored, and their operations would run again. A restore is
 * detected from what every running node remembers; from the identity of a table, which changes when a dump is loaded;
 * and, for a database that is a file, from a second file beside it. The database is checked every few seconds, and
 * before the next claim after a store call has failed.
 *
 * <p>Only claims of the engine are guarded, not those inside a transaction of the application.
 */
public final class RestoreGuard extends ForwardingKeyStore {

    private static final Logger LOG = LoggerFactory.getLogger(RestoreGuard.class);

    /** A restore always takes longer. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final EpochCheck epoch;
    private final ScheduledExecutorService checks =
            Executors.newSingleThreadScheduledExecutor(Threads.daemons("semel-restore-guard"));
    private volatile @Nullable StoreException refusal;
    private volatile boolean suspicious;
    private volatile long checkedAt;
    private CompletableFuture<Void> look = CompletableFuture.completedFuture(null);

    private RestoreGuard(KeyStore store, EpochCheck epoch) {
        super(store);
        this.epoch = epoch;
    }

    /**
     * Guards a store. Creates a second table beside that of the store if it is missing, and fails if it lacks the right
     * to do so.
     *
     * @param dataSource the data source of the store
     * @param file remembers how far the database has come, for a database that is a file itself; it must not be part of
     *     a backup. {@code null} for other databases.
     * @param interval how often the database is looked at
     */
    public static RestoreGuard around(
            JdbcKeyStore store, DataSource dataSource, @Nullable Path file, Duration interval) {
        EpochCheck epoch;
        try (Connection connection = dataSource.getConnection()) {
            SqlDialect dialect = Dialects.of(connection);
            epoch = new EpochCheck(dataSource, dialect, store.tableName(), file);
        } catch (SQLException e) {
            throw new StoreUnavailableException("could not connect to the database: " + e.getMessage(), e);
        }
        epoch.create();
        RestoreGuard guard = new RestoreGuard(store, epoch);
        guard.check();
        guard.checks.scheduleWithFixedDelay(
                guard::checkQuietly, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        return guard;
    }

    @Override
    protected <T> Optional<T> capability(Class<T> type) {
        return type == RestoreGuard.class ? Optional.of(type.cast(this)) : super.capability(type);
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        return suspicious ? ForwardedCall.compose(looked().copy(), looked -> claimNow(request)) : claimNow(request);
    }

    /** A check of the database, shared by all callers that wait for it. It can take as long as opening a connection. */
    private synchronized CompletableFuture<Void> looked() {
        if (look.isDone()) {
            CompletableFuture<Void> next = new CompletableFuture<>();
            look = next;
            try {
                checks.execute(() -> lookNow(next));
            } catch (RejectedExecutionException closed) {
                next.completeExceptionally(StoreUnavailableException.notSent("the store is closed"));
            }
        }
        return look;
    }

    private void lookNow(CompletableFuture<Void> looked) {
        try {
            check();
            looked.complete(null);
        } catch (RuntimeException e) {
            looked.completeExceptionally(StoreUnavailableException.notSent(String.valueOf(e.getMessage())));
        }
    }

    private CompletionStage<Claim> claimNow(ClaimRequest request) {
        StoreException refused = refusal;
        if (refused != null) {
            return CompletableFuture.failedStage(refused);
        }
        CompletionStage<Claim> claim = store().claim(request);
        claim.whenComplete((answer, failure) -> {
            // Not for each claim of a locked key.
            if (failure != null && System.nanoTime() - checkedAt > PAUSE.toNanos()) {
                suspicious = true;
            }
        });
        return claim;
    }

    /** Why claims are refused; empty if they are not. */
    public Optional<String> loss() {
        return Optional.ofNullable(refusal).map(Throwable::getMessage);
    }

    /**
     * Lets claims through again after the database was restored; all nodes follow. An operation whose key is missing runs again
     * when it is retried.
     *
     * @return {@code false} if nothing was lost
     */
    public boolean acknowledgeLoss() {
        try {
            boolean acknowledged = epoch.acknowledge();
            check();
            return acknowledged;
        } catch (IOException e) {
            throw new StoreException("the loss could not be acknowledged: " + e.getMessage(), e);
        }
    }

    private void check() {
        String lost;
        try {
            lost = epoch.check();
        } catch (IOException e) {
            throw new StoreException("it is unknown whether the database was restored: " + e.getMessage(), e);
        }
        suspicious = false;
        checkedAt = System.nanoTime();
        boolean before = refusal != null;
        refusal = lost == null
                ? null
                : new StoreException(
                        "claims are refused, because the database was restored from an older copy: " + lost
                                + ". Operations whose keys are missing would run again. When that cannot happen any"
                                + " more, or does no harm, run: semel keys acknowledge-loss --store URL",
                        null);
        if (lost != null && !before) {
            LOG.error(
                    "event=store_restored meaning=\"claims are refused until an operator acknowledges\" cause=\"{}\"",
                    lost);
        } else if (lost == null && before) {
            LOG.warn("event=restore_acknowledged meaning=\"claims are accepted again\"");
        }
    }

    /** An exception would end the schedule. */
    private void checkQuietly() {
        try {
            check();
        } catch (RuntimeException e) {
            suspicious = true;
            LOG.debug("the database could not be checked", e);
        }
    }

    @Override
    public void close() {
        checks.shutdownNow();
        super.close();
    }
}
