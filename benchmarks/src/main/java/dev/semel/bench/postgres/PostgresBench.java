package dev.semel.bench.postgres;

import dev.semel.bench.design.CamelDesign;
import dev.semel.bench.design.ContendedDesign;
import dev.semel.bench.design.DbosDesign;
import dev.semel.bench.design.Design;
import dev.semel.bench.design.EngineDesign;
import dev.semel.bench.design.NaiveDesign;
import dev.semel.bench.design.Pgbench;
import dev.semel.bench.design.SemelDesign;
import dev.semel.bench.design.SpringIntegrationDesign;
import dev.semel.bench.design.StandingKeys;
import dev.semel.bench.design.Verification;
import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.MeasurementNames;
import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.measure.Sample;
import dev.semel.bench.server.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** The measurements of {@link PostgresCommand}, made in turns. */
final class PostgresBench {

    private static final int CONNECTIONS = 16;
    private static final int NAIVE_THREADS = 32;
    private static final int CALLERS = 256;
    private static final List<Integer> IN_FLIGHT = List.of(32, 512, CALLERS);
    private static final List<Integer> PGBENCH_CLIENTS = List.of(16, 32);
    private static final int REPLAYED_KEYS = 2_000;
    private static final Duration SHORTEST_OPEN_LOOP = Duration.ofMillis(1_500);

    private final PostgresServer server;
    private final MeasurementPlan plan;
    private final Rounds rounds = new Rounds();
    private final Progress progress;
    private boolean warmUp;

    PostgresBench(PostgresServer server, MeasurementPlan plan) {
        this.server = server;
        this.plan = plan;
        this.progress = new Progress((plan.rounds() + 1) * (plan.standingKeys() > 0 ? 23 : 19) + 6);
    }

    /** Something that loads a design for some time. */
    @FunctionalInterface
    private interface Loading {
        Sample run(Duration time) throws Exception;
    }

    Rounds run() throws Exception {
        try (NaiveDesign naive = new NaiveDesign(server, CONNECTIONS);
                SemelDesign semel = new SemelDesign(server, CONNECTIONS, "semel_key");
                EngineDesign engine = new EngineDesign(server, CONNECTIONS, "semel_engine");
                CamelDesign camel = new CamelDesign(server, CONNECTIONS);
                SpringIntegrationDesign spring = new SpringIntegrationDesign(server, CONNECTIONS);
                DbosDesign dbos = new DbosDesign(server, CONNECTIONS)) {
            for (ContendedDesign design : List.of(naive, semel, engine, camel, spring)) {
                progress.next("one winner: " + design.name());
                Verification.requireOneWinner(design, 8, 50);
            }
            for (int round = 0; round <= plan.rounds(); round++) {
                warmUp = round == 0;
                Result best = closedLoops(naive, semel, engine);
                oneCaller(naive, semel);
                openLoop(naive, semel, best.perSecond() / 2);
                replays(naive, semel);
                for (Design peer : List.of(camel, spring, dbos)) {
                    measure(peer.name(), peer, time -> threads(CALLERS, time, peer));
                }
            }
            if (plan.standingKeys() > 0) {
                scale(semel);
            }
        } finally {
            progress.end();
        }
        return rounds;
    }

    /** The answer is the best of the obvious design. */
    private Result closedLoops(NaiveDesign naive, SemelDesign semel, EngineDesign engine) throws Exception {
        Result naiveBest = best(
                MeasurementNames.NAIVE,
                plan.naiveThreads(),
                threads -> measure(MeasurementNames.naive(threads), naive, time -> threads(threads, time, naive)));
        Pgbench pgbench = Pgbench.find(server);
        if (pgbench != null && !warmUp) {
            best(
                    MeasurementNames.PGBENCH,
                    PGBENCH_CLIENTS,
                    clients -> measured(MeasurementNames.PGBENCH, naive, time -> pgbench.run(clients, time)));
        }
        for (int callers : IN_FLIGHT) {
            measure(MeasurementNames.inFlight(callers), semel, time -> inFlight(callers, time, semel));
        }
        measure(MeasurementNames.ENGINE, engine, time -> inFlight(CALLERS, time, engine));
        measure(MeasurementNames.ENGINE_THREADS, engine, time -> threads(CALLERS, time, engine));
        measure(MeasurementNames.THREADS, semel, time -> threads(CALLERS, time, semel));
        return naiveBest;
    }

    /** A measurement with some number of callers. */
    @FunctionalInterface
    private interface WithCallers {
        Result run(int callers) throws Exception;
    }

    private Result best(String what, List<Integer> numbers, WithCallers measurement) throws Exception {
        Result best = measurement.run(numbers.get(0));
        for (int callers : numbers.subList(1, numbers.size())) {
            Result result = measurement.run(callers);
            best = result.perSecond() > best.perSecond() ? result : best;
        }
        return keep(what, best);
    }

    private void oneCaller(NaiveDesign naive, SemelDesign semel) throws Exception {
        measure(MeasurementNames.NAIVE_ALONE, naive, time -> threads(1, time, naive));
        measure(MeasurementNames.ALONE, semel, time -> threads(1, time, semel));
    }

    private static Sample threads(int threads, Duration time, Design design) throws Exception {
        return LoadDriver.threads(threads, time, () -> design.cycle(Payload.newKey()));
    }

    private static Sample inFlight(int callers, Duration time, SemelDesign design) throws Exception {
        return LoadDriver.inFlight(callers, time, () -> design.cycleAsync(Payload.newKey()));
    }

    /** At half of what the obvious design can do at most. */
    private void openLoop(NaiveDesign naive, SemelDesign semel, double rate) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(NAIVE_THREADS);
        try {
            measure(
                    MeasurementNames.NAIVE_OPEN,
                    naive,
                    time -> LoadDriver.openLoop(
                            rate, longEnough(time), () -> CompletableFuture.runAsync(() -> cycle(naive), executor)));
        } finally {
            executor.shutdownNow();
        }
        measure(
                MeasurementNames.OPEN,
                semel,
                time -> LoadDriver.openLoop(rate, longEnough(time), () -> semel.cycleAsync(Payload.newKey())));
    }

    /** In less time, the slowest hundredth of the calls is no more than one wait for the disk. */
    private Duration longEnough(Duration time) {
        return warmUp || time.compareTo(SHORTEST_OPEN_LOOP) > 0 ? time : SHORTEST_OPEN_LOOP;
    }

    private static void cycle(Design design) {
        try {
            design.cycle(Payload.newKey());
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    private void replays(NaiveDesign naive, SemelDesign semel) throws Exception {
        replay(
                MeasurementNames.NAIVE_REPLAY,
                naive,
                (keys, time) -> LoadDriver.threads(NAIVE_THREADS, time, () -> naive.replay(any(keys))));
        replay(
                MeasurementNames.REPLAY,
                semel,
                (keys, time) -> LoadDriver.inFlight(CALLERS, time, () -> semel.replayAsync(any(keys))));
    }

    /** Something that asks a design for settled keys for some time. */
    @FunctionalInterface
    private interface Replays {
        Sample run(List<String> keys, Duration time) throws Exception;
    }

    /** The same load on an empty table and on one with many keys. */
    private void scale(SemelDesign empty) throws Exception {
        try (StandingKeys full = new StandingKeys(server, CONNECTIONS)) {
            progress.next("filling a table with " + plan.standingKeys() + " keys");
            full.fill(plan.standingKeys());
            for (int round = 0; round <= plan.rounds(); round++) {
                warmUp = round == 0;
                measure(MeasurementNames.EMPTY, empty, time -> inFlight(CALLERS, time, empty));
                measure(MeasurementNames.FULL, full, time -> inFlight(CALLERS, time, full));
            }
        }
    }

    private static String any(List<String> keys) {
        return keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
    }

    private void replay(String what, Design design, Replays load) throws Exception {
        progress.next(what);
        design.clear();
        List<String> keys =
                Stream.generate(Payload::newKey).limit(REPLAYED_KEYS).toList();
        for (String key : keys) {
            design.cycle(key);
        }
        server.execute("CHECKPOINT");
        long wal = server.walBytes();
        Sample sample = load.run(keys, warmUp ? plan.warmUp() : plan.time());
        keep(what, result(sample, server.walBytes() - wal, -1));
        design.verify(keys.size());
    }

    private Result measure(String what, Design design, Loading load) throws Exception {
        return keep(what, measured(what, design, load));
    }

    private Result measured(String what, Design design, Loading load) throws Exception {
        progress.next(what);
        design.clear();
        server.execute("CHECKPOINT");
        long wal = server.walBytes();
        Sample sample = load.run(warmUp ? plan.warmUp() : plan.time());
        wal = server.walBytes() - wal;
        design.verify(sample.all());
        long bytes = design.bytes();
        return result(sample, wal, bytes < 0 ? -1 : (double) bytes / sample.all());
    }

    private static Result result(Sample sample, long wal, double bytesPerKey) {
        return new Result(
                sample.perSecond(), sample.millis(0.5), sample.millis(0.99), (double) wal / sample.all(), bytesPerKey);
    }

    private Result keep(String what, Result result) {
        if (!warmUp) {
            rounds.add(what, result);
        }
        return result;
    }
}
