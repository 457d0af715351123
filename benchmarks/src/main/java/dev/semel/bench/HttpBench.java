package dev.semel.bench;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The measurements of {@link HttpCommand}, made in turns. */
final class HttpBench {

    private static final int CALLERS = 8;

    private final HttpServer server;
    private final Effort effort;
    private final Rounds results = new Rounds();
    private final Progress progress;

    /**
     * How much is measured.
     *
     * @param warmUp how long each is run before the first round: the filter is more code, and takes longer to get warm
     * @param turns how often the filter is measured with and without metrics: what they cost is so little that only
     *     many short turns show it
     */
    record Effort(Duration warmUp, Duration time, int rounds, Duration turn, int turns) {

        static final Effort QUICK =
                new Effort(Duration.ofSeconds(3), Duration.ofMillis(700), 2, Duration.ofMillis(500), 20);
        static final Effort FULL =
                new Effort(Duration.ofSeconds(10), Duration.ofSeconds(3), 7, Duration.ofSeconds(1), 60);
    }

    private enum Served {
        PLAIN("plain"),
        FILTER("filter"),
        METRICS("filter, metrics");

        private final String label;

        Served(String label) {
            this.label = label;
        }

        private String name(int callers) {
            return label + ", " + callers + (callers == 1 ? " caller" : " callers");
        }
    }

    HttpBench(HttpServer server, Effort effort) {
        this.server = server;
        this.effort = effort;
        this.progress = new Progress((effort.rounds + 1) * 4 + 2 * effort.turns);
    }

    void run(Report report) throws Exception {
        for (int round = 0; round <= effort.rounds; round++) {
            for (int callers : new int[] {1, CALLERS}) {
                Rounds kept = round == 0 ? new Rounds() : results;
                Duration time = round == 0 ? effort.warmUp : effort.time;
                inTurn(Served.PLAIN, Served.FILTER, round, callers, time, kept);
            }
        }
        Rounds turns = new Rounds();
        for (int turn = 0; turn < effort.turns; turn++) {
            // The first turns warm up what the metrics need.
            Rounds kept = turn < effort.turns / 5 ? new Rounds() : turns;
            inTurn(Served.FILTER, Served.METRICS, turn, CALLERS, effort.turn, kept);
        }
        progress.end();
        write(report, turns);
    }

    /** Who goes first changes, so that neither always finds the machine as the other left it. */
    private void inTurn(Served one, Served other, int round, int callers, Duration time, Rounds kept) throws Exception {
        boolean oneFirst = round % 2 == 0;
        measure(oneFirst ? one : other, callers, time, kept);
        measure(oneFirst ? other : one, callers, time, kept);
    }

    private void measure(Served served, int callers, Duration time, Rounds kept) throws Exception {
        String name = served.name(callers);
        progress.next(name);
        server.forgetKeys(served == Served.METRICS);
        String path = served == Served.PLAIN ? HttpServer.PLAIN : HttpServer.GUARDED;
        Queue<HttpCaller> idle = new ConcurrentLinkedQueue<>();
        try {
            for (int i = 0; i < callers; i++) {
                idle.add(new HttpCaller(server.port(), path));
            }
            long before = server.runs();
            Sample sample = Load.threads(callers, time, () -> {
                HttpCaller caller = idle.remove();
                caller.call();
                idle.add(caller);
            });
            long ran = server.runs() - before;
            if (ran != sample.all()) {
                throw new IllegalStateException(
                        name + " is wrong: " + sample.all() + " charges were answered, and " + ran + " were made");
            }
            kept.add(name, new Result(sample.perSecond(), sample.millis(0.5), sample.millis(0.99), 0, 0));
        } finally {
            for (HttpCaller caller : idle) {
                caller.close();
            }
        }
    }

    private void write(Report report, Rounds turns) {
        for (int callers : new int[] {1, CALLERS}) {
            row(report, results, Served.PLAIN, Served.PLAIN, callers);
            row(report, results, Served.FILTER, Served.PLAIN, callers);
        }
        row(report, turns, Served.METRICS, Served.FILTER, CALLERS);
        report.text("the last row is compared with the filter without metrics");
        report.number(
                "http.filter.p50.ratio",
                results.median(
                        Served.FILTER.name(1), Served.PLAIN.name(1), (ours, theirs) -> ours.p50() / theirs.p50()));
        report.number("http.filter.throughput.ratio", throughput(results, Served.FILTER, Served.PLAIN, CALLERS));
        report.number("metrics.throughput.ratio", throughput(turns, Served.METRICS, Served.FILTER, CALLERS));
    }

    private static void row(Report report, Rounds rounds, Served served, Served base, int callers) {
        String name = served.name(callers);
        report.row(
                name,
                Math.round(rounds.median(name, Result::perSecond)),
                rounded(throughput(rounds, served, base, callers)),
                rounded(rounds.median(name, Result::p50)),
                rounded(rounds.median(name, Result::p99)));
    }

    private static double throughput(Rounds rounds, Served served, Served base, int callers) {
        return rounds.median(
                served.name(callers), base.name(callers), (ours, theirs) -> ours.perSecond() / theirs.perSecond());
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
