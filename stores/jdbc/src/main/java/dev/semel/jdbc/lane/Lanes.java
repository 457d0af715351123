package dev.semel.jdbc.lane;

import dev.semel.Outcome;
import dev.semel.jdbc.dialect.KeyTable;
import dev.semel.jdbc.dialect.LeaseEnd;
import dev.semel.jdbc.dialect.SettleRequest;
import dev.semel.jdbc.dialect.SqlDialect;
import dev.semel.jdbc.dialect.StepResult;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.spi.Batching.Batches;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Renewal;
import dev.semel.util.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The lanes of a store, one for each kind of write: a batch that mixed claims and settles would lock rows in the order
 * of two kinds of statements, and deadlock with others.
 */
public final class Lanes {

    /** A heartbeat renews all leases of a node at once. */
    private static final int RENEWALS = 1024;

    /** Short, because the leases that were renewed together with a held one wait for the answer to it. */
    private static final Duration RENEWAL_PATIENCE = Duration.ofMillis(200);

    private static final Duration WATCH_INTERVAL = Duration.ofMillis(250);

    private final Lane<ClaimRequest, Claim> claims;
    private final Lane<SettleRequest, Boolean> settles;
    private final Lane<Renewal, Boolean> renewals;
    private final Lane<LeaseEnd, Boolean> ends;
    private final Lane<StepResult, Boolean> steps;
    private final Workers workers = new Workers();
    private final List<Lane<?, ?>> all;
    private final Duration closeLimit;
    private final ScheduledThreadPoolExecutor watch;

    public Lanes(DataSource dataSource, SqlDialect dialect, KeyTable table, LaneLimits limits) {
        StoreConnections claiming = new StoreConnections(dataSource, limits.claimTimeout());
        StoreConnections writing = new StoreConnections(dataSource, limits.statementTimeout());
        LaneLimits ofRenewals = limits.withBatch(RENEWALS).withQueue(Integer.MAX_VALUE);
        WriteBatch<SettleRequest> settled =
                new WriteBatch<>(table, SettleRequest::lease, Lanes::bytes, table::settle, null);
        WriteBatch<Renewal> renewed =
                new WriteBatch<>(table, Renewal::lease, renewal -> 0, table::renew, RENEWAL_PATIENCE);
        WriteBatch<LeaseEnd> ended = new WriteBatch<>(table, LeaseEnd::lease, end -> 0, table::end, null);
        WriteBatch<StepResult> recorded =
                new WriteBatch<>(table, StepResult::lease, step -> step.result().length, table::recordSteps, null);
        claims = new Lane<>("claim", claiming, dialect, new ClaimBatch(table), limits, workers);
        settles = new Lane<>("settle", writing, dialect, settled, limits, workers);
        renewals = new Lane<>("renewal", writing, dialect, renewed, ofRenewals, workers);
        ends = new Lane<>("release", writing, dialect, ended, limits, workers);
        steps = new Lane<>("step", writing, dialect, recorded, limits, workers);
        all = List.of(claims, settles, renewals, steps, ends);
        closeLimit = limits.giveUpAfter().plus(limits.statementTimeout());
        watch = new ScheduledThreadPoolExecutor(1, Threads.daemons("semel-jdbc-deadlines"));
    }

    private static int bytes(SettleRequest settlement) {
        Outcome outcome = settlement.outcome();
        byte[] payload = outcome.payload();
        return payload == null ? 0 : payload.length;
    }

    public CompletableFuture<Claim> claim(ClaimRequest request) {
        return claims.submit(request);
    }

    public CompletableFuture<Boolean> settle(SettleRequest request) {
        return settles.submit(request);
    }

    public CompletableFuture<Boolean> renew(Renewal renewal) {
        return renewals.submit(renewal);
    }

    public CompletableFuture<Boolean> end(LeaseEnd end) {
        return ends.submit(end);
    }

    public CompletableFuture<Boolean> recordStep(StepResult step) {
        return steps.submit(step);
    }

    public Lanes start() {
        watch.scheduleWithFixedDelay(
                () -> all.forEach(lane -> lane.expire(System.nanoTime())),
                WATCH_INTERVAL.toMillis(),
                WATCH_INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
        return this;
    }

    public Map<String, Batches> batches() {
        return all.stream().collect(Collectors.toUnmodifiableMap(Lane::name, Lane::batches));
    }

    /** Sends the requests that were submitted before, and refuses later ones. */
    public void close() {
        all.forEach(Lane::close);
        long end = System.nanoTime() + closeLimit.toNanos();
        for (Lane<?, ?> lane : all) {
            lane.awaitClosed(Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime())));
        }
        watch.shutdownNow();
        workers.end();
    }
}
