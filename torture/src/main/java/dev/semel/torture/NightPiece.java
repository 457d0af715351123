package dev.semel.torture;

import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One run of a night, whose files are named after its store, door and seed. */
record NightPiece(StoreKind store, Door door, long seed) {

    static final String LOG = ".log";
    private static final String NUMBERS = ".json";
    private static final Pattern NAME = Pattern.compile("(.+)-([a-z]+)-(\\d+)\\" + LOG);
    private static final Pattern NUMBER = Pattern.compile("\"torture\\.([^\"]+)\": *(-?[0-9.]+)");

    /** Each of them is 0 if every guarantee held and nothing is left over. */
    private static final List<String> BAD =
            List.of("violations", "doubleEffects", "lostOutcomes", "divergentReplays", "leaks", "leftovers");

    /** Reads the name of a log. */
    static Optional<NightPiece> ofLog(Path log) {
        Matcher name = NAME.matcher(log.getFileName().toString());
        return name.matches()
                ? Optional.of(new NightPiece(
                        StoreKind.named(name.group(1)), Door.named(name.group(2)), Long.parseLong(name.group(3))))
                : Optional.empty();
    }

    Path log(Path directory) {
        return directory.resolve(this + LOG);
    }

    Path json(Path directory) {
        return directory.resolve(this + NUMBERS);
    }

    /** The figures of its verdict, without the {@code torture.} in front; none if it did not come to one. */
    Map<String, Double> numbers(Path directory) throws IOException {
        Path json = json(directory);
        Map<String, Double> numbers = new HashMap<>();
        if (Files.exists(json)) {
            for (MatchResult number :
                    NUMBER.matcher(Files.readString(json)).results().toList()) {
                numbers.put(number.group(1), Double.parseDouble(number.group(2)));
            }
        }
        return numbers;
    }

    /** With how few faults it broke, and what; empty if it held, or was not minimised. */
    List<String> story(Path directory) throws IOException {
        return Files.exists(log(directory)) ? BrokenStory.in(Files.readAllLines(log(directory))) : List.of();
    }

    /** What a piece with these figures has found broken; empty if all held. */
    static String broken(Map<String, Double> numbers) {
        return numbers.isEmpty()
                ? "no verdict"
                : BAD.stream()
                        .filter(name -> numbers.getOrDefault(name, 0.0) > 0)
                        .map(name ->
                                name + " " + numbers.getOrDefault(name, 0.0).longValue())
                        .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return store + "-" + door + "-" + seed;
    }
}
