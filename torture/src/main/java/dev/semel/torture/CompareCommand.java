package dev.semel.torture;

import dev.semel.torture.node.Bug;
import dev.semel.torture.peers.Peers;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.StoreKind;
import dev.semel.torture.plan.TorturePlan;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tortures Semel and the other designs with one fault after the other, and writes a table of what happened. */
@Command(
        name = "compare",
        description = "Tortures Semel and other designs with one fault after the other, and writes a table.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        showDefaultValues = true)
final class CompareCommand implements Callable<Integer> {

    /** The fault is one of PostgreSQL, where the system has nothing. */
    private static final String NOT_FOR_IT = "–";

    @Option(names = "--seconds", paramLabel = "N", description = "How long each system has each fault.")
    private int seconds = 7;

    @Option(names = "--seed", paramLabel = "N", description = "The schedule, the same for all systems.")
    private long seed = 1;

    @Option(names = "--systems", paramLabel = "LIST", split = ",", description = "The rows; by default all there are.")
    private List<String> systems = allSystems();

    @Option(
            names = "--faults",
            paramLabel = "LIST",
            split = ",",
            description = "The columns: each system has one of these faults at a time, or none.")
    private List<String> faults = List.of("none", "kill", "pause", "ackLost");

    @Option(names = "--table", paramLabel = "FILE", required = true, description = "Where to write the table.")
    private Path table = Path.of("torture-table.md");

    @Override
    public Integer call() throws Exception {
        StringBuilder text = new StringBuilder(
                "| system | " + String.join(" | ", faults) + " |\n|---" + "|---".repeat(faults.size()) + "|\n");
        for (String system : systems) {
            StringJoiner row = new StringJoiner(" | ", "| `" + system + "` | ", " |\n");
            for (String fault : faults) {
                String cell = torture(system, fault);
                System.out.printf("%s, %s: %s%n", system, fault, cell);
                row.add(cell);
            }
            text.append(row);
        }
        Files.writeString(table, text);
        return 0;
    }

    private static List<String> allSystems() {
        List<String> systems = new ArrayList<>(List.of("semel"));
        systems.addAll(Peers.NAMES);
        return systems;
    }

    private String torture(String system, String fault) throws Exception {
        Set<FaultKind> kinds = FaultKind.parse(fault);
        if (Peers.areKeptInRedis(system) && kinds.stream().anyMatch(kind -> !kind.happensOn(StoreKind.SQLITE))) {
            return NOT_FOR_IT;
        }
        TorturePlan plan = new TorturePlan(
                Duration.ofSeconds(seconds),
                StoreKind.POSTGRES,
                Door.ENGINE,
                kinds,
                seed,
                3,
                250,
                Duration.ofMillis(1_500),
                system,
                Bug.NONE,
                false);
        try (PrintStream silence = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            return cell(new TortureRun(plan, silence).run().findings());
        }
    }

    private static String cell(Findings findings) {
        StringJoiner cell = new StringJoiner(", ");
        add(cell, findings.doubleEffects(), "ran twice");
        add(cell, findings.lostOutcomes(), "lost");
        add(cell, findings.divergentReplays(), "changed");
        add(cell, findings.leaks(), "leaked");
        add(cell, findings.wronglyReplayed(), "other body");
        add(cell, findings.leftovers().size(), "stuck");
        return (cell.length() == 0 ? "**held**" : cell.toString()) + " of " + findings.keys();
    }

    private static void add(StringJoiner cell, long count, String what) {
        if (count > 0) {
            cell.add(count + " " + what);
        }
    }
}
