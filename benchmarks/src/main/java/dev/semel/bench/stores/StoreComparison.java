package dev.semel.bench.stores;

import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.measure.Sample;
import java.time.Duration;
import java.util.Locale;

/** Measures Semel's store on one engine against the least that could be done there, in turns. */
final class StoreComparison {

    /** One side of it. */
    @FunctionalInterface
    interface Side {
        Sample run(Duration time) throws Exception;
    }

    private final String engine;
    private final Rounds rounds = new Rounds();

    StoreComparison(String engine) {
        this.engine = engine;
    }

    void run(MeasurementPlan plan, String floorName, Side floor, String storeName, Side store) throws Exception {
        Progress progress = new Progress((plan.rounds() + 1) * 2);
        for (int round = 0; round <= plan.rounds(); round++) {
            Duration time = round == 0 ? plan.warmUp() : plan.time();
            progress.next(engine + ": " + floorName);
            add(round, floorName, floor.run(time));
            progress.next(engine + ": " + storeName);
            add(round, storeName, store.run(time));
        }
        progress.end();
    }

    private void add(int round, String what, Sample sample) {
        if (round > 0) {
            rounds.add(what, new Result(sample.perSecond(), sample.millis(0.5), sample.millis(0.99), -1, -1));
        }
    }

    /** Adds a row for each side, and the ratios as {@code engine.throughput.ratio.floor} and the like. */
    void report(Report report, String floorName, String storeName, String floor) {
        for (String what : rounds.names()) {
            report.row(
                    engine + ": " + what,
                    format("%,.0f", rounds.median(what, Result::perSecond)),
                    format("%.2f", throughput(what, floorName)),
                    format("%.2f", rounds.median(what, Result::p50)),
                    format("%.2f", rounds.median(what, Result::p99)));
        }
        report.number(engine + ".throughput.ratio." + floor, throughput(storeName, floorName));
        report.number(engine + ".p99.ratio." + floor, rounds.median(storeName, floorName, (a, b) -> a.p99() / b.p99()));
    }

    private double throughput(String what, String floorName) {
        return rounds.median(what, floorName, (a, b) -> a.perSecond() / b.perSecond());
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
