package dev.semel.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code ./semel fuzz}: searches for inputs that break what reads bytes of strangers. */
final class FuzzCommand {

    private static final long DEFAULT_INPUTS = 1_000_000;
    private static final long QUICK_INPUTS = 20_000;
    private static final String USAGE =
            """
            usage: fuzz [--target NAME] [--inputs N] [--seconds N] [--quick] [--json FILE]
              --target NAME   one of %s; all of them if nothing is said
              --inputs N      how many inputs to try in all; 1000000 if nothing is said
              --seconds N     how long to try, for each target; without an end if nothing is said
              --quick         20000 inputs
              --json FILE     where to write the numbers""".formatted(Stream.of(Target.values()).map(Target::word).collect(Collectors.joining(", ")));

    private FuzzCommand() {}

    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) throws IOException, InterruptedException {
        long inputs = DEFAULT_INPUTS;
        int seconds = 0;
        Target only = null;
        Path json = null;
        for (int i = 0; i < arguments.length; i++) {
            String next = i + 1 < arguments.length ? arguments[i + 1] : "";
            if (arguments[i].equals("--quick")) {
                inputs = QUICK_INPUTS;
            } else if (arguments[i].equals("--inputs") && next.matches("[1-9][0-9]{0,10}")) {
                inputs = Long.parseLong(next);
                i++;
            } else if (arguments[i].equals("--seconds") && next.matches("[1-9][0-9]{0,5}")) {
                seconds = Integer.parseInt(next);
                i++;
            } else if (arguments[i].equals("--target") && find(next) != null) {
                only = find(next);
                i++;
            } else if (arguments[i].equals("--json") && !next.isEmpty()) {
                json = Path.of(next);
                i++;
            } else {
                System.err.println(USAGE);
                return arguments[i].equals("--help") ? 0 : 2;
            }
        }
        return run(only, inputs, seconds, json);
    }

    private static int run(Target only, long inputs, int seconds, Path json) throws IOException, InterruptedException {
        List<FuzzRun.Result> results = new ArrayList<>();
        System.out.printf(
                "%-16s %12s %10s %10s %10s  %s%n", "target", "inputs", "seconds", "heap MB", "coverage", "found");
        for (Target target : only == null ? List.of(Target.values()) : List.of(only)) {
            FuzzRun.Result result = FuzzRun.of(target, only == null ? target.share(inputs) : inputs, seconds);
            results.add(result);
            System.out.printf(
                    "%-16s %12d %10d %10d %10d  %s%n",
                    target.word(),
                    result.inputs(),
                    result.seconds(),
                    result.heapMegabytes(),
                    result.coverage(),
                    result.finding().isEmpty() ? "nothing" : result.finding());
        }
        if (json != null) {
            Files.writeString(json, json(results));
        }
        boolean clean = results.stream().allMatch(result -> result.finding().isEmpty());
        System.out.println(clean ? "no input broke a rule" : "AN INPUT BROKE A RULE");
        return clean ? 0 : 1;
    }

    private static Target find(String word) {
        return Stream.of(Target.values())
                .filter(target -> target.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    private static String json(List<FuzzRun.Result> results) {
        return results.stream()
                .map(result -> String.format(
                        Locale.ROOT,
                        "  {\"target\": \"%s\", \"inputs\": %d, \"seconds\": %d, \"heapMegabytes\": %d, \"coverage\": %d,"
                                + " \"found\": %b}",
                        result.target().word(),
                        result.inputs(),
                        result.seconds(),
                        result.heapMegabytes(),
                        result.coverage(),
                        !result.finding().isEmpty()))
                .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    }
}
