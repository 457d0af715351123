package dev.semel.bench.postgres;

import dev.semel.bench.measure.MeasurementNames;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Result;
import dev.semel.bench.measure.Rounds;
import java.util.List;
import java.util.Locale;

/** Turns the results of {@link PostgresBench} into numbers. */
final class PostgresReport {

    private static final List<String> PEERS = List.of("camel", "springIntegration", "dbos");

    private final Rounds rounds;
    private final Report report;

    PostgresReport(Rounds rounds, Report report) {
        this.rounds = rounds;
        this.report = report;
    }

    void write() {
        for (String what : rounds.names()) {
            report.row(
                    what,
                    format("%,.0f", rounds.median(what, Result::perSecond)),
                    format("%.2f", throughput(what, MeasurementNames.NAIVE)),
                    format("%.2f", rounds.median(what, Result::p50)),
                    format("%.2f", rounds.median(what, Result::p99)),
                    format("%.0f", rounds.median(what, Result::walPerOperation)),
                    bytes(rounds.median(what, Result::bytesPerKey)));
        }
        bars();
        String at256 = MeasurementNames.inFlight(256);
        for (int callers : new int[] {32, 256, 512}) {
            number(
                    "postgres.throughput.ratio." + callers,
                    throughput(MeasurementNames.inFlight(callers), MeasurementNames.NAIVE));
        }
        number("postgres.throughput.ratio.256.threads", throughput(MeasurementNames.THREADS, MeasurementNames.NAIVE));
        number("postgres.throughput.ratio.256.engine", throughput(MeasurementNames.ENGINE, MeasurementNames.NAIVE));
        number(
                "postgres.p99.ratio.256",
                rounds.median(at256, MeasurementNames.NAIVE_USUAL, (a, b) -> a.p99() / b.p99()));
        number(
                "postgres.p99.ratio.256.best",
                rounds.median(at256, MeasurementNames.NAIVE, (a, b) -> a.p99() / b.p99()));
        number(
                "postgres.p50.ratio.1",
                rounds.median(MeasurementNames.ALONE, MeasurementNames.NAIVE_ALONE, (a, b) -> a.p50() / b.p50()));
        number(
                "postgres.openloop.p99.ratio",
                rounds.median(MeasurementNames.OPEN, MeasurementNames.NAIVE_OPEN, (a, b) -> a.p99() / b.p99()));
        number(
                "postgres.openloop.p50.ratio",
                rounds.median(MeasurementNames.OPEN, MeasurementNames.NAIVE_OPEN, (a, b) -> a.p50() / b.p50()));
        number("postgres.replay.ratio", throughput(MeasurementNames.REPLAY, MeasurementNames.NAIVE_REPLAY));
        number(
                "postgres.wal.ratio",
                rounds.median(at256, MeasurementNames.NAIVE, (a, b) -> a.walPerOperation() / b.walPerOperation()));
        number(
                "postgres.bytesPerKey.ratio",
                rounds.median(at256, MeasurementNames.NAIVE, (a, b) -> a.bytesPerKey() / b.bytesPerKey()));
        for (String peer : PEERS) {
            number("peer." + peer + ".throughput.ratio.256", throughput(peer, MeasurementNames.NAIVE));
            number("peer." + peer + ".semel.ratio.256", throughput(at256, peer));
        }
        if (rounds.names().contains(MeasurementNames.FULL)) {
            number("postgres.scale.ratio.5m", throughput(MeasurementNames.FULL, MeasurementNames.EMPTY));
        }
    }

    private void bars() {
        report.bar(MeasurementNames.NAIVE, 1);
        for (String peer : PEERS) {
            report.bar(peer, throughput(peer, MeasurementNames.NAIVE));
        }
        for (String what : List.of(
                MeasurementNames.inFlight(32),
                MeasurementNames.inFlight(256),
                MeasurementNames.inFlight(512),
                MeasurementNames.THREADS,
                MeasurementNames.ENGINE)) {
            report.bar(what, throughput(what, MeasurementNames.NAIVE));
        }
    }

    private double throughput(String what, String base) {
        return rounds.median(what, base, (a, b) -> a.perSecond() / b.perSecond());
    }

    private void number(String name, double value) {
        report.number(name, value);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private static String bytes(double perKey) {
        return perKey < 0 ? "" : format("%.0f", perKey);
    }
}
