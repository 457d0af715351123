package dev.semel.bench.stores;

import dev.semel.bench.design.StoreCycle;
import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.MeasurementNames;
import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.measure.Sample;
import dev.semel.spi.KeyStore;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Measures Semel's store on one engine against the least that could be done there, in turns.
 *
 * @param callers how many claims and settles of the store are in flight
 */
record StoreComparison(String engine, int callers, MeasurementPlan plan, Report report) {

    /** One side of it. */
    @FunctionalInterface
    interface Side {
        Sample run(Duration time) throws Exception;
    }

    /** As many calls in flight as the store has, each for a new key. */
    Side inFlight(Function<String, CompletionStage<?>> call) {
        return time -> LoadDriver.inFlight(callers, time, () -> call.apply(Payload.newKey()));
    }

    Side cycles(KeyStore store) {
        return inFlight(new StoreCycle(store)::run);
    }

    /** Adds a row for each side, and the ratios as {@code engine.throughput.ratio.floor} and the like. */
    void run(String floor, String floorName, Side least, Side store) throws Exception {
        String storeName = MeasurementNames.inFlight(callers);
        Rounds rounds = new Rounds();
        Progress progress = new Progress((plan.rounds() + 1) * 2);
        for (int round = 0; round <= plan.rounds(); round++) {
            Duration time = round == 0 ? plan.warmUp() : plan.time();
            progress.next(engine + ": " + floorName);
            add(rounds, round, floorName, least.run(time));
            progress.next(engine + ": " + storeName);
            add(rounds, round, storeName, store.run(time));
        }
        progress.end();
        for (String what : rounds.names()) {
            report.row(
                    engine + ": " + what,
                    format("%,.0f", rounds.median(what, Result::perSecond)),
                    format("%.2f", rounds.throughput(what, floorName)),
                    format("%.2f", rounds.median(what, Result::p50)),
                    format("%.2f", rounds.median(what, Result::p99)));
        }
        report.number(engine + ".throughput.ratio." + floor, rounds.throughput(storeName, floorName));
        report.number(engine + ".p99.ratio." + floor, rounds.ratio(storeName, floorName, Result::p99));
    }

    private static void add(Rounds rounds, int round, String what, Sample sample) {
        if (round > 0) {
            rounds.add(what, new Result(sample.perSecond(), sample.millis(0.5), sample.millis(0.99), -1, -1));
        }
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
