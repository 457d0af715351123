package dev.semel.bench.http;

import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.measure.Sample;
import dev.semel.bench.measure.WarmUp;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The measurements of {@link HttpCommand}, each of one server against another, in turns. */
final class HttpBench {

    private static final int CALLERS = 8;

    private final HttpServer server;
    private final Effort effort;
    private final Rounds results = new Rounds();
    private final Progress progress;

    /**
     * How much is measured.
     *
     * @param warmUp how long each is run, twice in a round, before the first round that counts
     * @param warmUps how many such rounds there are at most; they end when the compiler has little left to do
     * @param time how long each is run, twice in a round, with and without the filter
     * @param turn how long each is run, twice in a round, with and without metrics: what they cost is so little that only
     *     many short turns show it
     */
    record Effort(Duration warmUp, int warmUps, Duration time, int rounds, Duration turn, int metricsRounds) {

        static final Effort QUICK =
                new Effort(Duration.ofMillis(750), 4, Duration.ofMillis(400), 3, Duration.ofMillis(400), 8);
        static final Effort FULL =
                new Effort(Duration.ofSeconds(2), 10, Duration.ofMillis(1_500), 6, Duration.ofSeconds(1), 30);
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
        this.progress = new Progress(4 * (3 * effort.warmUps + 2 * effort.rounds + effort.metricsRounds));
    }

    void run(Report report) throws Exception {
        for (int callers : new int[] {1, CALLERS}) {
            compare(Served.PLAIN, Served.FILTER, callers, effort.time, effort.rounds, results);
        }
        Rounds withMetrics = new Rounds();
        compare(Served.FILTER, Served.METRICS, CALLERS, effort.turn, effort.metricsRounds, withMetrics);
        progress.end();
        write(report, withMetrics);
    }

    /** Warms both up, and measures them in rounds. */
    private void compare(Served one, Served other, int callers, Duration time, int rounds, Rounds kept)
            throws Exception {
        WarmUp.untilTheCompilerRests(effort.warmUps, () -> round(one, other, callers, effort.warmUp, new Rounds()));
        for (int round = 0; round < rounds; round++) {
            round(one, other, callers, time, kept);
        }
    }

    /**
     * One, the other, the other, one: neither gains from a machine that gets slower or faster meanwhile, nor from what the
     * other leaves behind.
     */
    private void round(Served one, Served other, int callers, Duration time, Rounds kept) throws Exception {
        Result first = measure(one, callers, time);
        Result second = measure(other, callers, time);
        Result third = measure(other, callers, time);
        Result fourth = measure(one, callers, time);
        kept.add(one.name(callers), mean(first, fourth));
        kept.add(other.name(callers), mean(second, third));
    }

    private static Result mean(Result a, Result b) {
        return new Result((a.perSecond() + b.perSecond()) / 2, (a.p50() + b.p50()) / 2, (a.p99() + b.p99()) / 2, 0, 0);
    }

    private Result measure(Served served, int callers, Duration time) throws Exception {
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
            Sample sample = LoadDriver.threads(callers, time, () -> {
                HttpCaller caller = idle.remove();
                caller.call();
                idle.add(caller);
            });
            long ran = server.runs() - before;
            if (ran != sample.all()) {
                throw new IllegalStateException(
                        name + " is wrong: " + sample.all() + " charges were answered, and " + ran + " were made");
            }
            return new Result(sample.perSecond(), sample.millis(0.5), sample.millis(0.99), 0, 0);
        } finally {
            for (HttpCaller caller : idle) {
                caller.close();
            }
        }
    }

    private void write(Report report, Rounds withMetrics) {
        for (int callers : new int[] {1, CALLERS}) {
            row(report, results, Served.PLAIN, Served.PLAIN, callers);
            row(report, results, Served.FILTER, Served.PLAIN, callers);
        }
        row(report, withMetrics, Served.METRICS, Served.FILTER, CALLERS);
        report.text("the last row is compared with the filter without metrics");
        report.number("http.filter.p50.ratio", results.ratio(Served.FILTER.name(1), Served.PLAIN.name(1), Result::p50));
        report.number("http.filter.throughput.ratio", throughput(results, Served.FILTER, Served.PLAIN, CALLERS));
        report.number("metrics.throughput.ratio", throughput(withMetrics, Served.METRICS, Served.FILTER, CALLERS));
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
        return rounds.throughput(served.name(callers), base.name(callers));
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
