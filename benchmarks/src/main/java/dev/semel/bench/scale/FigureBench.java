package dev.semel.bench.scale;

import dev.semel.bench.http.Wrk;
import dev.semel.bench.measure.Progress;
import dev.semel.bench.scale.Nodes.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What one request costs, by the size of its response, as stored and compressed: what {@code semel plan} computes with. */
final class FigureBench {

    static final List<Integer> SIZES = List.of(ScaleBench.RESPONSE, 2048, 8192, 32_768);

    private static final Map<String, String[]> WAYS =
            Map.of("", new String[0], ".compressed", new String[] {"--compress"});
    private static final Duration WARM_UP = Duration.ofSeconds(14);
    private static final Duration TIME = Duration.ofSeconds(3);

    private final Map<String, Long> values = new TreeMap<>();

    /** Measures one gateway on the store. */
    void measure(SharedStore store, ScaleBench bench) throws Exception {
        Progress progress = new Progress(WAYS.size() * (SIZES.size() + 1));
        for (Map.Entry<String, String[]> way : WAYS.entrySet()) {
            Path log = bench.directory().resolve(store.name() + "-figures" + way.getKey() + ".log");
            try (Node node = Node.start(log, Node.Compiler.FULL, bench.upstream(), store.url(), way.getValue())) {
                Nodes nodes = new Nodes(store, bench.wrk(), List.of(node));
                progress.next(store.name() + way.getKey() + ", warm-up");
                nodes.run(load(ScaleBench.RESPONSE), WARM_UP);
                for (int size : SIZES) {
                    progress.next(store.name() + way.getKey() + ", " + size + " bytes");
                    add(store.name(), "." + size + way.getKey(), nodes.run(load(size), TIME));
                }
                values.put(store.name() + ".connections", store.connections());
                values.merge("gateway.memory", node.residentBytes(), Math::max);
            }
        }
        progress.end();
    }

    private static Load load(int size) {
        return new Load(1, Wrk.CONNECTIONS, "/" + size, false);
    }

    private void add(String store, String end, Turn turn) {
        values.put("gateway." + store + ".cpu" + end, Math.round(1000 * turn.gatewayCpu()));
        values.put(store + ".cpu" + end, Math.round(1000 * turn.primaryCpu()));
        values.put(store + ".log" + end, Math.round(turn.logBytes()));
        values.put(store + ".bytes" + end, Math.round(turn.dataBytes()));
        // It does not depend on the response: the smallest one had the most keys.
        if (end.equals("." + ScaleBench.RESPONSE) && turn.indexBytes() > 0) {
            values.put(store + ".index", Math.round(turn.indexBytes()));
        }
    }

    void write(Path file) throws IOException {
        String header = """
                # What one request costs, by the bytes of its response. cpu in nanoseconds, the rest in bytes.
                # Made by: ./semel bench scale --figures FILE
                date = %s
                machine = %d cores, %s, Java %s
                """.formatted(
                        LocalDate.now(ZoneOffset.UTC),
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        Runtime.version().feature());
        String lines = values.entrySet().stream()
                .map(value -> value.getKey() + " = " + value.getValue() + "\n")
                .collect(Collectors.joining());
        Files.writeString(file, header + lines);
    }
}
