package dev.semel.bench.retention;

import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.measure.Sample;
import dev.semel.bench.server.PostgresServer;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.spi.Purging.Purged;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The measurements of {@link RetentionCommand}: the same load without and with a purge, in turns. */
final class RetentionBench {

    private static final int CONNECTIONS = 16;
    private static final int CALLERS = 256;
    private static final int PURGE_BATCH = 1_000;
    private static final int ROTATIONS = 50;
    private static final int SIZED_ROTATIONS = 10;
    private static final int ROTATIONS_IN_A_TURN = 4;
    private static final int CALM_CALLERS = 32;

    /** By index, oldest first, without locked rows. */
    private static final String NAIVE_PURGE = """
            DELETE FROM semel_key WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM semel_key WHERE expires_at <= now() ORDER BY expires_at LIMIT ?
                FOR UPDATE SKIP LOCKED))""";

    /**
     * How much is measured.
     *
     * @param secondsToLive after how long the standing keys expire: not before they are to be dropped
     * @param time how long a turn takes; where generations rotate, it takes {@link #ROTATIONS_IN_A_TURN} of these instead
     * @param rotatingRounds how often two ways to keep generations are compared
     * @param rotateEvery how long new keys go to the same generation
     */
    record Scale(
            long standingKeys,
            long secondsToLive,
            Duration warmUp,
            Duration time,
            int rounds,
            int rotatingRounds,
            Duration rotateEvery) {

        static final Scale QUICK =
                new Scale(100_000, 20, Duration.ofMillis(300), Duration.ofMillis(500), 2, 2, Duration.ofMillis(200));
        static final Scale FULL =
                new Scale(10_000_000, 360, Duration.ofSeconds(2), Duration.ofSeconds(4), 3, 8, Duration.ofSeconds(2));

        Duration rotatingTime() {
            return rotateEvery.multipliedBy(ROTATIONS_IN_A_TURN);
        }

        /** How long a purge that has nothing to do rests, which is not long for a generation. */
        Duration betweenPurges() {
            return rotateEvery.dividedBy(10);
        }
    }

    /** Removes some keys. */
    @FunctionalInterface
    private interface Purge {
        Purged purge() throws Exception;
    }

    /** A load, and what was removed meanwhile. */
    private record Turn(Sample sample, double walPerOperation, long removed, double purgeSeconds, double longestClaim) {

        double perSecond() {
            return sample.perSecond();
        }

        double microsPerKey() {
            return removed == 0 ? Double.NaN : purgeSeconds * 1e6 / removed;
        }
    }

    private final PostgresServer server;
    private final Scale scale;
    private final Report report;
    private final Progress progress;
    private final List<Double> backlogWal = new ArrayList<>();

    RetentionBench(PostgresServer server, Scale scale, Report report) {
        this.server = server;
        this.scale = scale;
        this.report = report;
        this.progress = new Progress(
                (2 * 2 + SealingBench.WAYS) * (scale.rounds() + 1) + 2 * 2 * (scale.rotatingRounds() + 1) + 6);
    }

    void run() throws Exception {
        try (RetentionTable table = new RetentionTable(server, CONNECTIONS)) {
            progress.next("filling a table with " + scale.standingKeys() + " keys");
            table.fill(scale.standingKeys(), scale.secondsToLive());
            progress.next("indexing their expiry");
            table.indexExpiry(true);
            removed("naive", compare("naive, no purge", null, "naive", () -> purgeByIndex(table), table, false));
            table.indexExpiry(false);
            removed("walk", compare("walk, no purge", null, "walk", () -> purge(table.store()), table, false));
            table.keepGenerations(scale.rotateEvery());
            removed(
                    "generations",
                    compare("generations, no purge", null, "generations", () -> purge(table.store()), table, true));
            report.number("retention.backlog.wal.bytes.generations", median(backlogWal));
            drop(table);
            audit(table);
            rotations(table);
            new SealingBench(server, scale, report, progress).run();
        } finally {
            progress.end();
        }
    }

    private static Purged purgeByIndex(RetentionTable table) throws SQLException {
        try (Connection connection = table.pool().getConnection();
                PreparedStatement statement = connection.prepareStatement(NAIVE_PURGE)) {
            statement.setInt(1, PURGE_BATCH);
            int removed = statement.executeUpdate();
            return new Purged(removed, removed == PURGE_BATCH);
        }
    }

    private static Purged purge(JdbcKeyStore store) {
        return store.purge(PURGE_BATCH).toCompletableFuture().join();
    }

    /** Two loads on one table, in turns. */
    private record Comparison(List<Turn> without, List<Turn> with) {

        double ratio() {
            return median(ratios());
        }

        List<Double> ratios() {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < with.size(); i++) {
                ratios.add(with.get(i).perSecond() / without.get(i).perSecond());
            }
            return ratios;
        }
    }

    /**
     * The same load beside one purge, or none, and beside another one, in turns, so that both see the same machine; and each as
     * often after itself as after the other.
     */
    private Comparison compare(
            String base, @Nullable Purge basePurge, String name, Purge purge, RetentionTable table, boolean rotating)
            throws Exception {
        Comparison turns = new Comparison(new ArrayList<>(), new ArrayList<>());
        Duration measured = rotating ? scale.rotatingTime() : scale.time();
        int rounds = rotating ? scale.rotatingRounds() : scale.rounds();
        for (int round = 0; round <= rounds; round++) {
            Duration time = round == 0 ? scale.warmUp() : measured;
            for (boolean isBase : round % 2 == 0 ? List.of(true, false) : List.of(false, true)) {
                progress.next(isBase ? base : name);
                if (rotating) {
                    removeBacklog(purge);
                }
                Turn turn = load(table, CALLERS, time, isBase ? basePurge : purge);
                if (round > 0) {
                    (isBase ? turns.without : turns.with).add(turn);
                }
            }
        }
        row(base, turns.without, 1);
        row(name, turns.with, turns.ratio());
        return turns;
    }

    /**
     * Removes what the turn before has left, so that all begin alike, and as many keys have to go in one as come. A checkpoint has
     * written the pages meanwhile, as it has in production: there, the log of this is paid for every key.
     */
    private void removeBacklog(Purge purge) throws Exception {
        TimeUnit.MILLISECONDS.sleep(RetentionTable.BRIEF.active().toMillis());
        server.execute("CHECKPOINT");
        long wal = server.walBytes();
        long removed = 0;
        Purged purged;
        do {
            purged = purge.purge();
            removed += purged.removed();
        } while (purged.more());
        if (removed > 0) {
            backlogWal.add((double) (server.walBytes() - wal) / removed);
        }
    }

    private void removed(String name, Comparison turns) {
        report.number("retention.throughput.ratio." + name, turns.ratio());
        report.number("retention.throughput.ratio." + name + ".min", Collections.min(turns.ratios()));
        report.number("retention.throughput.ratio." + name + ".max", Collections.max(turns.ratios()));
        report.number("retention.throughput." + name, median(turns.with, Turn::perSecond));
        report.number("retention.throughput." + name + ".idle", median(turns.without, Turn::perSecond));
        report.number("retention.wal.bytes." + name, median(turns.with, Turn::walPerOperation));
        report.number("retention.wal.bytes." + name + ".idle", median(turns.without, Turn::walPerOperation));
        if (!name.equals("generations")) {
            report.number("retention.purge.micros." + name, median(turns.with, Turn::microsPerKey));
        }
    }

    /** What claims and settles pay for the audit window: generations that are kept in it, and generations that are not. */
    private void audit(RetentionTable table) throws Exception {
        JdbcKeyStore audited = table.audited(scale.rotateEvery());
        Comparison turns = compare(
                "generations, no audit",
                () -> purge(table.store()),
                "generations, audit",
                () -> purge(audited),
                table,
                true);
        if (table.auditedKeys() == 0) {
            throw new IllegalStateException("no key came to the audit window");
        }
        report.number("retention.throughput.ratio.audit", turns.ratio());
        report.number("retention.throughput.audit", median(turns.with, Turn::perSecond));
        report.number("retention.wal.bytes.audit", median(turns.with, Turn::walPerOperation));
    }

    private void row(String name, List<Turn> turns, double ratio) {
        report.row(
                name,
                format("%,.0f", median(turns, Turn::perSecond)),
                format("%.2f", ratio),
                format("%,.0f", median(turns, Turn::walPerOperation)),
                format("%.2f", median(turns, Turn::microsPerKey)),
                format("%.1f", median(turns, turn -> turn.sample.millis(0.99))));
    }

    private Turn load(RetentionTable table, int callers, Duration time, @Nullable Purge purge) throws Exception {
        server.execute("CHECKPOINT");
        table.longestClaim();
        long wal = server.walBytes();
        CompletableFuture<Sample> load = CompletableFuture.supplyAsync(() -> {
            try {
                return LoadDriver.inFlight(callers, time, table::cycle);
            } catch (Exception e) {
                throw new IllegalStateException("the load failed", e);
            }
        });
        long removed = 0;
        long nanos = 0;
        while (purge != null && !load.isDone()) {
            long started = System.nanoTime();
            Purged purged = purge.purge();
            nanos += System.nanoTime() - started;
            removed += purged.removed();
            if (!purged.more()) {
                TimeUnit.NANOSECONDS.sleep(scale.betweenPurges().toNanos());
            }
        }
        Sample sample = load.get();
        double walPerOperation = (double) (server.walBytes() - wal) / sample.all();
        return new Turn(sample, walPerOperation, removed, nanos / 1e9, table.longestClaim());
    }

    /** The generation of the standing keys is dropped, under load, when they have expired. */
    private void drop(RetentionTable table) throws Exception {
        progress.next("waiting until the standing keys expire");
        long left = table.secondsToStand();
        if (left < 0) {
            throw new IllegalStateException("the standing keys expired " + -left
                    + " s before they were to be dropped: this machine is too busy for the measurement, run it alone");
        }
        TimeUnit.SECONDS.sleep(left + 1);
        progress.next("dropping them");
        double[] micros = {Double.NaN};
        Turn turn = load(table, CALM_CALLERS, scale.rotatingTime().multipliedBy(2), () -> {
            long started = System.nanoTime();
            Purged purged = purge(table.store());
            if (purged.removed() > scale.standingKeys() / 2) {
                micros[0] = (System.nanoTime() - started) / 1e3 / purged.removed();
            }
            return purged;
        });
        report.number("retention.purge.micros.generations", micros[0]);
        report.number("retention.drop.claim.max.ms", turn.longestClaim);
    }

    /** The longest claim, and the size of the keys on the disk, while generations go by and are kept in the audit window. */
    private void rotations(RetentionTable table) throws Exception {
        progress.next("no rotation");
        Turn calm = load(table, CALM_CALLERS, scale.time(), null);
        report.number("retention.claim.max.ms.idle", calm.longestClaim);
        progress.next(ROTATIONS + " rotations");
        JdbcKeyStore audited = table.audited(scale.rotateEvery());
        long first = table.rotations();
        List<Double> sizes = new ArrayList<>();
        double longest = 0;
        try (ClaimWatch watch = new ClaimWatch(server)) {
            while (sizes.size() < ROTATIONS) {
                Turn turn = load(table, CALM_CALLERS, scale.rotateEvery().multipliedBy(10), () -> {
                    Purged purged = purge(audited);
                    if (table.rotations() > first + sizes.size()) {
                        sizes.add((double) table.bytes());
                    }
                    return purged;
                });
                longest = Math.max(longest, turn.longestClaim);
            }
            report.number("retention.claim.max.ms.lock", watch.longestForLock());
            report.number("retention.claim.max.ms.log", watch.longestForLog());
        }
        report.number("retention.claim.max.ms", longest);
        report.number("retention.rotations", sizes.size());
        int last = sizes.size() - SIZED_ROTATIONS;
        double before = largest(sizes, last - SIZED_ROTATIONS, last);
        double after = largest(sizes, last, sizes.size());
        report.number("retention.disk.bytes", after);
        report.number("retention.disk.ratio.10", after / before);
    }

    private static double largest(List<Double> sizes, int from, int to) {
        return sizes.subList(from, to).stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(Double.NaN);
    }

    private static double median(List<Turn> turns, ToDoubleFunction<Turn> value) {
        return median(turns.stream().mapToDouble(value).boxed().toList());
    }

    static double median(List<Double> values) {
        return values.isEmpty()
                ? Double.NaN
                : Rounds.median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static String format(String format, double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }
}
