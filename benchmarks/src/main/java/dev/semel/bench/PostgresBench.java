package dev.semel.bench;

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
    private static final List<Integer> IN_FLIGHT = List.of(32, CALLERS, 512);
    private static final int REPLAYED_KEYS = 2_000;

    private final PostgresServer server;
    private final Plan plan;
    private final Rounds rounds = new Rounds();
    private final Progress progress;

    PostgresBench(PostgresServer server, Plan plan) {
        this.server = server;
        this.plan = plan;
        this.progress = new Progress((plan.rounds() + 1) * (plan.standingKeys() > 0 ? 20 : 17) + 6);
    }

    /** Something that loads a design for some time. */
    @FunctionalInterface
    private interface Loading {
        Sample run(Duration time) throws Exception;
    }

    Rounds run() throws Exception {
        try (NaiveDesign naive = new NaiveDesign(server, CONNECTIONS);
                SemelDesign semel = new SemelDesign(server, CONNECTIONS, "semel_key");
                EngineDesign engine = new EngineDesign(new SemelDesign(server, CONNECTIONS, "semel_engine"));
                CamelDesign camel = new CamelDesign(server, CONNECTIONS);
                SpringIntegrationDesign spring = new SpringIntegrationDesign(server, CONNECTIONS);
                DbosDesign dbos = new DbosDesign(server, CONNECTIONS)) {
            for (Contended design : List.of(naive, semel, engine, camel, spring)) {
                progress.next("one winner: " + design.name());
                Verification.requireOneWinner(design, 8, 50);
            }
            for (int round = 0; round <= plan.rounds(); round++) {
                boolean warmUp = round == 0;
                closedLoops(naive, semel, engine, warmUp);
                oneCaller(naive, semel, warmUp);
                openLoop(naive, semel, warmUp);
                replays(naive, semel, warmUp);
                for (Design peer : List.of(camel, spring, dbos)) {
                    measure(peer.name(), peer, warmUp, time -> threads(CALLERS, time, peer));
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

    private void closedLoops(NaiveDesign naive, SemelDesign semel, EngineDesign engine, boolean warmUp)
            throws Exception {
        Result best = null;
        for (int threads : plan.naiveThreads()) {
            Result result = measure(Names.naive(threads), naive, warmUp, time -> threads(threads, time, naive));
            best = best == null || result.perSecond() > best.perSecond() ? result : best;
        }
        if (!warmUp && best != null) {
            rounds.add(Names.NAIVE, best);
        }
        for (int callers : IN_FLIGHT) {
            measure(Names.inFlight(callers), semel, warmUp, time -> inFlight(callers, time, semel));
        }
        measure(Names.THREADS, semel, warmUp, time -> threads(CALLERS, time, semel));
        measure(Names.ENGINE, engine, warmUp, time -> inFlight(CALLERS, time, engine));
    }

    private void oneCaller(NaiveDesign naive, SemelDesign semel, boolean warmUp) throws Exception {
        measure(Names.NAIVE_ALONE, naive, warmUp, time -> threads(1, time, naive));
        measure(Names.ALONE, semel, warmUp, time -> threads(1, time, semel));
    }

    private static Sample threads(int threads, Duration time, Design design) throws Exception {
        return Load.threads(threads, time, () -> design.cycle(Payload.newKey()));
    }

    private static Sample inFlight(int callers, Duration time, Asynchronous design) throws Exception {
        return Load.inFlight(callers, time, () -> design.cycleAsync(Payload.newKey()));
    }

    /** At half of what the obvious design can do at most. */
    private void openLoop(NaiveDesign naive, SemelDesign semel, boolean warmUp) throws Exception {
        double rate = (warmUp ? 200 : rounds.latest(Names.NAIVE).perSecond()) / 2;
        ExecutorService executor = Executors.newFixedThreadPool(NAIVE_THREADS);
        try {
            measure(
                    Names.NAIVE_OPEN,
                    naive,
                    warmUp,
                    time -> Load.openLoop(rate, time, () -> CompletableFuture.runAsync(() -> cycle(naive), executor)));
        } finally {
            executor.shutdownNow();
        }
        measure(Names.OPEN, semel, warmUp, time -> Load.openLoop(rate, time, () -> semel.cycleAsync(Payload.newKey())));
    }

    private static void cycle(Design design) {
        try {
            design.cycle(Payload.newKey());
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    private void replays(NaiveDesign naive, SemelDesign semel, boolean warmUp) throws Exception {
        replay(
                Names.NAIVE_REPLAY,
                naive,
                warmUp,
                (keys, time) -> Load.threads(NAIVE_THREADS, time, () -> naive.replay(any(keys))));
        replay(
                Names.REPLAY,
                semel,
                warmUp,
                (keys, time) -> Load.inFlight(CALLERS, time, () -> semel.replayAsync(any(keys))));
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
                boolean warmUp = round == 0;
                measure(Names.EMPTY, empty, warmUp, time -> inFlight(CALLERS, time, empty));
                measure(Names.FULL, full, warmUp, time -> inFlight(CALLERS, time, full));
            }
        }
    }

    private static String any(List<String> keys) {
        return keys.get(ThreadLocalRandom.current().nextInt(keys.size()));
    }

    private void replay(String what, Design design, boolean warmUp, Replays load) throws Exception {
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
        record(what, warmUp, sample, server.walBytes() - wal, -1);
        design.verify(keys.size());
    }

    private Result measure(String what, Design design, boolean warmUp, Loading load) throws Exception {
        progress.next(what);
        design.clear();
        server.execute("CHECKPOINT");
        long wal = server.walBytes();
        Sample sample = load.run(warmUp ? plan.warmUp() : plan.time());
        wal = server.walBytes() - wal;
        design.verify(sample.all());
        long bytes = design.bytes();
        return record(what, warmUp, sample, wal, bytes < 0 ? -1 : (double) bytes / sample.all());
    }

    private Result record(String what, boolean warmUp, Sample sample, long wal, double bytesPerKey) {
        Result result = new Result(
                sample.perSecond(), sample.millis(0.5), sample.millis(0.99), (double) wal / sample.all(), bytesPerKey);
        if (!warmUp) {
            rounds.add(what, result);
        }
        return result;
    }
}
