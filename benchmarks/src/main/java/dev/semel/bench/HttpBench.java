package dev.semel.bench;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The measurements of {@link HttpCommand}, made in turns. */
final class HttpBench {

    private static final int CALLERS = 8;

    private final HttpServer server;
    private final Duration time;
    private final int rounds;
    private final Rounds results = new Rounds();
    private final Progress progress;

    HttpBench(HttpServer server, Duration time, int rounds) {
        this.server = server;
        this.time = time;
        this.rounds = rounds;
        this.progress = new Progress((rounds + 1) * 4);
    }

    void run(Report report) throws Exception {
        for (int round = 0; round <= rounds; round++) {
            boolean warmUp = round == 0;
            for (int callers : new int[] {1, CALLERS}) {
                // Who goes first changes, so that neither always finds the machine as the other left it.
                boolean plainFirst = round % 2 == 0;
                measure(plainFirst, callers, warmUp);
                measure(!plainFirst, callers, warmUp);
            }
        }
        progress.end();
        write(report);
    }

    private static String name(boolean plain, int callers) {
        return (plain ? "plain, " : "filter, ") + callers + (callers == 1 ? " caller" : " callers");
    }

    private void measure(boolean plain, int callers, boolean warmUp) throws Exception {
        String name = name(plain, callers);
        progress.next(name);
        server.forgetKeys();
        String path = plain ? HttpServer.PLAIN : HttpServer.GUARDED;
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
            if (!warmUp) {
                results.add(name, new Result(sample.perSecond(), sample.millis(0.5), sample.millis(0.99), 0, 0));
            }
        } finally {
            for (HttpCaller caller : idle) {
                caller.close();
            }
        }
    }

    private void write(Report report) {
        for (int callers : new int[] {1, CALLERS}) {
            for (boolean plain : new boolean[] {true, false}) {
                String name = name(plain, callers);
                report.row(
                        name,
                        Math.round(results.median(name, Result::perSecond)),
                        rounded(results.median(
                                name, name(true, callers), (ours, theirs) -> ours.perSecond() / theirs.perSecond())),
                        rounded(results.median(name, Result::p50)),
                        rounded(results.median(name, Result::p99)));
            }
        }
        report.number(
                "http.filter.p50.ratio",
                results.median(name(false, 1), name(true, 1), (ours, theirs) -> ours.p50() / theirs.p50()));
        report.number(
                "http.filter.throughput.ratio",
                results.median(
                        name(false, CALLERS),
                        name(true, CALLERS),
                        (ours, theirs) -> ours.perSecond() / theirs.perSecond()));
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
