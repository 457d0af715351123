package dev.semel.torture;

import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the pieces in a directory have done, together. */
final class NightTally {

    private static final String FAULTS = "faults.";

    private record Result(NightPiece piece, Map<String, Double> numbers, List<String> story) {

        long number(String name) {
            return numbers.getOrDefault(name, 0.0).longValue();
        }

        long faults() {
            return numbers.entrySet().stream()
                    .filter(number -> number.getKey().startsWith(FAULTS))
                    .mapToLong(number -> number.getValue().longValue())
                    .sum();
        }

        long serverKills() {
            return number(FAULTS + FaultKind.RESTART) + number(FAULTS + FaultKind.FAILOVER);
        }

        boolean held() {
            return NightPiece.broken(numbers).isEmpty();
        }
    }

    private final List<Result> results = new ArrayList<>();

    /** Reads the directory, if it exists. */
    static NightTally of(Path directory) throws IOException {
        NightTally tally = new NightTally();
        if (!Files.isDirectory(directory)) {
            return tally;
        }
        List<NightPiece> pieces;
        try (Stream<Path> files = Files.list(directory)) {
            pieces = files.flatMap(file -> NightPiece.ofLog(file).stream())
                    .sorted(Comparator.comparingLong(NightPiece::seed))
                    .toList();
        }
        for (NightPiece piece : pieces) {
            tally.results.add(new Result(piece, piece.numbers(directory), piece.story(directory)));
        }
        return tally;
    }

    long requests(StoreKind store, Door door) {
        return sum(of(store, door), "requests");
    }

    long lastSeed() {
        return results.stream().mapToLong(result -> result.piece().seed()).max().orElse(0);
    }

    boolean allHeld() {
        return results.stream().allMatch(Result::held);
    }

    /** The tables and lists, in Markdown. */
    String markdown() {
        return "| store | door | pieces | requests | nodes killed | servers killed or replaced | all faults | result |\n"
                + "|---|---|---|---|---|---|---|---|\n"
                + rows(StoreKind.values(), store -> rows(Door.values(), door -> row(store, door)))
                + row("**all**", "", results)
                + "\n" + faults() + rows(results.toArray(Result[]::new), NightTally::line);
    }

    private String row(StoreKind store, Door door) {
        List<Result> some = of(store, door);
        return some.isEmpty() ? "" : row("`" + store + "`", door.toString(), some);
    }

    private static String row(String store, String door, List<Result> some) {
        long broken = some.stream().filter(result -> !result.held()).count();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %,d | %,d | %,d | %,d | %s |%n",
                store,
                door,
                some.size(),
                sum(some, "requests"),
                sum(some, FAULTS + FaultKind.KILL),
                some.stream().mapToLong(Result::serverKills).sum(),
                some.stream().mapToLong(Result::faults).sum(),
                broken == 0 ? "held" : "**" + broken + " not held**");
    }

    /** How often each fault was injected into each store, through each door. */
    private String faults() {
        return rows(Door.values(), door -> {
            List<StoreKind> stores = Stream.of(StoreKind.values())
                    .filter(store -> !of(store, door).isEmpty())
                    .toList();
            return stores.isEmpty()
                    ? ""
                    : new FaultTable(door, stores, (store, kind) -> sum(of(store, door), FAULTS + kind)).markdown()
                            + "\n";
        });
    }

    private static String line(Result result) {
        return result.held()
                ? ""
                : "- " + result.piece() + ": " + NightPiece.broken(result.numbers()) + "\n" + story(result.story());
    }

    /** As code that belongs to the item of the list. */
    private static String story(List<String> lines) {
        return lines.isEmpty() ? "" : "\n" + rows(lines.toArray(String[]::new), line -> "      " + line + "\n") + "\n";
    }

    private static <T> String rows(T[] values, Function<T, String> row) {
        return Stream.of(values).map(row).collect(Collectors.joining());
    }

    private List<Result> of(StoreKind store, Door door) {
        return results.stream()
                .filter(result ->
                        result.piece().store() == store && result.piece().door() == door)
                .toList();
    }

    private static long sum(List<Result> some, String name) {
        return some.stream().mapToLong(result -> result.number(name)).sum();
    }
}
