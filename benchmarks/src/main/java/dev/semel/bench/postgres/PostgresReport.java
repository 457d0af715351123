package dev.semel.bench.postgres;

import dev.semel.bench.measure.MeasurementNames;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Turns the results of {@link PostgresBench} into numbers. */
record PostgresReport(Rounds rounds, Report report) {

    private static final List<String> PEERS = List.of("camel", "springIntegration", "dbos");

    void write() {
        for (String what : rounds.names()) {
            report.row(
                    what,
                    format("%,.0f", rounds.median(what, Result::perSecond)),
                    format("%.2f", rounds.throughput(what, MeasurementNames.NAIVE)),
                    format("%.2f", rounds.median(what, Result::p50)),
                    format("%.2f", rounds.median(what, Result::p99)),
                    format("%.0f", rounds.median(what, Result::walPerOperation)),
                    bytes(rounds.median(what, Result::bytesPerKey)));
        }
        bars();
        String at256 = MeasurementNames.inFlight(256);
        for (int callers : new int[] {32, 256, 512}) {
            throughput("postgres.throughput.ratio." + callers, MeasurementNames.inFlight(callers));
        }
        if (rounds.names().contains(MeasurementNames.PGBENCH)) {
            ratio("postgres.throughput.ratio.256.pgbench", at256, MeasurementNames.PGBENCH, Result::perSecond);
        } else {
            report.text("postgres.throughput.ratio.256.pgbench is skipped: there is no pgbench"
                    + " (on Debian: apt-get install postgresql)");
        }
        throughput("postgres.throughput.ratio.256.threads", MeasurementNames.THREADS);
        throughput("postgres.throughput.ratio.256.engine", MeasurementNames.ENGINE);
        ratio("postgres.engine.ratio.256", MeasurementNames.ENGINE, at256, Result::perSecond);
        ratio("postgres.engine.ratio.256.threads", MeasurementNames.ENGINE_THREADS, at256, Result::perSecond);
        ratio("postgres.p99.ratio.256", at256, MeasurementNames.NAIVE_USUAL, Result::p99);
        ratio("postgres.p99.ratio.256.best", at256, MeasurementNames.NAIVE, Result::p99);
        ratio("postgres.p50.ratio.1", MeasurementNames.ALONE, MeasurementNames.NAIVE_ALONE, Result::p50);
        ratio("postgres.openloop.p99.ratio", MeasurementNames.OPEN, MeasurementNames.NAIVE_OPEN, Result::p99);
        ratio("postgres.openloop.p50.ratio", MeasurementNames.OPEN, MeasurementNames.NAIVE_OPEN, Result::p50);
        ratio("postgres.replay.ratio", MeasurementNames.REPLAY, MeasurementNames.NAIVE_REPLAY, Result::perSecond);
        ratio("postgres.wal.ratio", at256, MeasurementNames.NAIVE, Result::walPerOperation);
        ratio("postgres.bytesPerKey.ratio", at256, MeasurementNames.NAIVE, Result::bytesPerKey);
        for (String peer : PEERS) {
            throughput("peer." + peer + ".throughput.ratio.256", peer);
            ratio("peer." + peer + ".semel.ratio.256", at256, peer, Result::perSecond);
        }
        if (rounds.names().contains(MeasurementNames.FULL)) {
            ratio("postgres.scale.ratio.5m", MeasurementNames.FULL, MeasurementNames.EMPTY, Result::perSecond);
        }
    }

    private void throughput(String name, String what) {
        ratio(name, what, MeasurementNames.NAIVE, Result::perSecond);
    }

    private void ratio(String name, String what, String base, ToDoubleFunction<Result> value) {
        report.number(name, rounds.ratio(what, base, value));
    }

    private void bars() {
        report.bar(MeasurementNames.NAIVE, 1);
        for (String peer : PEERS) {
            report.bar(peer, rounds.throughput(peer, MeasurementNames.NAIVE));
        }
        for (String what : List.of(
                MeasurementNames.inFlight(32),
                MeasurementNames.inFlight(256),
                MeasurementNames.inFlight(512),
                MeasurementNames.THREADS,
                MeasurementNames.ENGINE)) {
            report.bar(what, rounds.throughput(what, MeasurementNames.NAIVE));
        }
    }

    private static String format(String format, double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }

    private static String bytes(double perKey) {
        return perKey < 0 ? "" : format("%.0f", perKey);
    }
}
