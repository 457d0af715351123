package dev.semel.bench.scale;

import dev.semel.bench.http.Wrk;
import dev.semel.bench.measure.Progress;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Rounds;
import dev.semel.bench.scale.Nodes.Load;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Measures one, two and four gateways on one store. Two cores limit how much they do; what counts is that the work for a
 * request does not grow with their number.
 */
record ScaleBench(Path directory, int upstream, Wrk wrk, Effort effort, Report report) {

    static final int RESPONSE = 512;

    private static final int MOST_NODES = 4;
    private static final String ALONE = "1";
    private static final Load ALL = load(MOST_NODES, Wrk.CONNECTIONS, false);
    private static final String RACE = "race." + MOST_NODES;

    /** The loads by the ends of their numbers' names: each gateway brings its own callers, or they share those of one. */
    private static final Map<String, Load> LOADS = new LinkedHashMap<>();

    static {
        LOADS.put(ALONE, load(1, Wrk.CONNECTIONS, false));
        LOADS.put("2", load(2, Wrk.CONNECTIONS, false));
        LOADS.put("4", ALL);
        LOADS.put("2.spread", load(2, Wrk.CONNECTIONS / 2, false));
        LOADS.put("4.spread", load(MOST_NODES, Wrk.CONNECTIONS / MOST_NODES, false));
        LOADS.put(RACE, load(MOST_NODES, Wrk.CONNECTIONS / MOST_NODES, true));
    }

    /** How much is measured; the numbers are medians over the rounds. */
    record Effort(Node.Compiler compiler, Duration warmUp, Duration time, int rounds) {}

    private static Load load(int nodes, int connections, boolean sameKeys) {
        return new Load(nodes, connections, "/" + RESPONSE, sameKeys);
    }

    void run(SharedStore store) throws Exception {
        Map<String, List<Turn>> turns = new LinkedHashMap<>();
        List<Node> all = new ArrayList<>();
        try {
            for (int i = 0; i < MOST_NODES; i++) {
                Path log = directory.resolve(store.name() + "-" + i + ".log");
                all.add(Node.start(log, effort.compiler(), upstream, store.url()));
            }
            Nodes nodes = new Nodes(store, wrk, all);
            Progress progress = new Progress(effort.rounds() * LOADS.size() + 1);
            progress.next(store.name() + ", warm-up");
            nodes.run(ALL, effort.warmUp());
            for (int round = 0; round < effort.rounds(); round++) {
                for (Map.Entry<String, Load> load : LOADS.entrySet()) {
                    progress.next(store.name() + ", " + load.getKey());
                    turns.computeIfAbsent(load.getKey(), name -> new ArrayList<>())
                            .add(nodes.run(load.getValue(), effort.time()));
                }
            }
            progress.end();
        } finally {
            for (Node node : all) {
                node.close();
            }
        }
        tell(store.name(), turns);
    }

    void tell(String store, Map<String, List<Turn>> turns) {
        List<Turn> alone = turns.getOrDefault(ALONE, List.of());
        turns.forEach((load, all) -> {
            report.row(
                    store + ", " + load,
                    format("%,.0f", median(all, Turn::perSecond)),
                    format("%.2f", median(all, Turn::fairness)),
                    format("%,.0f", median(all, Turn::serverCpu)),
                    format("%,.0f", median(all, Turn::gatewayCpu)),
                    format("%,.0f", median(all, Turn::logBytes)),
                    format("%.3f", median(all, Turn::roundTrips)),
                    format("%.2f", 1000 * median(all, Turn::lockWaits)));
            String name = "scale." + store + ".";
            if (!load.equals(ALONE)) {
                report.number(name + "fairness." + load, median(all, Turn::fairness));
                report.number(name + "lockwaits." + load, 1000 * median(all, Turn::lockWaits));
            }
            if (load.equals(RACE)) {
                report.number(name + "waits." + load, 1000 * median(all, Turn::waits));
            } else if (!load.equals(ALONE)) {
                report.number(name + "throughput.ratio." + load, ratio(all, alone, Turn::perSecond));
                report.number(name + "cpu.ratio." + load, ratio(all, alone, Turn::cpu));
                report.number(name + "cpu.server.ratio." + load, ratio(all, alone, Turn::serverCpu));
                report.number(name + "cpu.gateway.ratio." + load, ratio(all, alone, Turn::gatewayCpu));
                report.number(name + "log.ratio." + load, ratio(all, alone, Turn::logBytes));
                report.number(name + "roundtrips.ratio." + load, ratio(all, alone, Turn::roundTrips));
            }
        });
    }

    private static double median(List<Turn> turns, ToDoubleFunction<Turn> value) {
        return Rounds.median(turns.stream().mapToDouble(value).toArray());
    }

    /** The median of the ratios within each round. */
    private static double ratio(List<Turn> turns, List<Turn> alone, ToDoubleFunction<Turn> value) {
        double[] ratios = new double[turns.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = value.applyAsDouble(turns.get(i)) / value.applyAsDouble(alone.get(i));
        }
        return Rounds.median(ratios);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
