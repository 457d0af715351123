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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the pieces in a directory have done, together. */
final class NightTally {

    private static final String FAULTS = "faults.";

    private record Result(NightPiece piece, Map<String, Double> numbers) {

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
            tally.results.add(new Result(piece, piece.numbers(directory)));
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
                + "\n" + faults() + "\n" + rows(results.toArray(Result[]::new), NightTally::line);
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

    /** How often each fault was injected into each store, through all doors. */
    private String faults() {
        List<StoreKind> stores = Stream.of(StoreKind.values())
                .filter(store -> !of(result -> result.piece().store() == store).isEmpty())
                .toList();
        return stores.stream().map(store -> "`" + store + "`").collect(Collectors.joining(" | ", "| fault | ", " |\n"))
                + "|---" + "|---".repeat(stores.size()) + "|\n"
                + rows(
                        FaultKind.values(),
                        kind -> stores.stream()
                                .map(store -> count(store, kind))
                                .collect(Collectors.joining(" | ", "| `" + kind + "` | ", " |\n")));
    }

    private String count(StoreKind store, FaultKind kind) {
        long count = sum(of(result -> result.piece().store() == store), FAULTS + kind);
        return count == 0 && !kind.happensOn(store) ? "–" : String.format(Locale.ROOT, "%,d", count);
    }

    private static String line(Result result) {
        return result.held() ? "" : "- " + result.piece() + ": " + NightPiece.broken(result.numbers()) + "\n";
    }

    private static <T> String rows(T[] values, Function<T, String> row) {
        return Stream.of(values).map(row).collect(Collectors.joining());
    }

    private List<Result> of(StoreKind store, Door door) {
        return of(result -> result.piece().store() == store && result.piece().door() == door);
    }

    private List<Result> of(Predicate<Result> wanted) {
        return results.stream().filter(wanted).toList();
    }

    private static long sum(List<Result> some, String name) {
        return some.stream().mapToLong(result -> result.number(name)).sum();
    }
}
