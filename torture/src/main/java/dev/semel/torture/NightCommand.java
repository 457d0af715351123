package dev.semel.torture;

import dev.semel.testservers.TempDirectory;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.StoreKind;
import dev.semel.torture.process.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tortures one pair of store and door after the other for hours, each in a process of its own. */
@Command(
        name = "night",
        description =
                "Tortures one pair of store and door after the other, each piece in a process of its own, and never stops"
                        + " at a broken one. Started again with the same directory, it goes on.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        showDefaultValues = true,
        footer = {"", "Exit code: 0 if every piece in the directory held, 1 otherwise."})
final class NightCommand implements Callable<Integer> {

    /** For the start of all servers, and for the end of all operations. */
    private static final Duration BESIDES = Duration.ofMinutes(12);

    @Option(names = "--directory", paramLabel = "DIR", required = true, description = "Where the results are written.")
    private Path directory = Path.of("");

    @Option(names = "--minutes", paramLabel = "N", description = "After this time, no other piece begins.")
    private int minutes = 8 * 60;

    @Option(names = "--seconds", paramLabel = "N", description = "How long each piece has load and faults.")
    private int seconds = 180;

    @Option(names = "--stores", paramLabel = "LIST", split = ",", description = "Which stores; by default all.")
    private List<String> stores = names(StoreKind.values());

    @Option(names = "--doors", paramLabel = "LIST", split = ",", description = "Which doors; by default all.")
    private List<String> doors = names(Door.values());

    @Option(names = "--faults", paramLabel = "LIST", description = "Which faults, as for one run.")
    private String faults = "all";

    @Option(names = "--seed", paramLabel = "N", description = "That of the first piece; each other has the next one.")
    private long seed = 1;

    @Option(names = "--nodes", paramLabel = "N", description = "How many nodes there are.")
    private int nodes = 3;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "How many requests are sent per second, at most; fewer where a store cannot do that.")
    private int rate = 150;

    @Option(names = "--lease", paramLabel = "MILLIS", description = "The lease of every operation.")
    private int lease = 2_000;

    @Option(
            names = "--minimise-minutes",
            paramLabel = "N",
            description = "How long a piece that broke something is repeated with ever fewer faults.")
    private int minimiseMinutes = 10;

    private record Pair(StoreKind store, Door door) {}

    @Override
    public Integer call() throws Exception {
        FaultKind.parse(faults);
        List<Pair> pairs = pairs();
        Files.createDirectories(directory);
        long next = Math.max(seed, NightTally.of(directory).lastSeed() + 1);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        while (!pairs.isEmpty() && System.nanoTime() < end) {
            for (Pair pair : poorestFirst(pairs)) {
                if (System.nanoTime() < end) {
                    run(new NightPiece(pair.store(), pair.door(), next++));
                }
            }
        }
        NightTally tally = NightTally.of(directory);
        System.out.print("\n" + tally.markdown());
        return tally.allHeld() ? 0 : 1;
    }

    /** Those that can be started here; says which cannot. */
    private List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        List<Door> chosen = doors.stream().map(Door::named).toList();
        for (StoreKind store : stores.stream().map(StoreKind::named).toList()) {
            MissingServer.of(store)
                    .ifPresentOrElse(
                            missing -> System.out.printf("%s is left out: %s%n", store, missing),
                            () -> chosen.forEach(door -> pairs.add(new Pair(store, door))));
        }
        return pairs;
    }

    /** Each once, and first the one with the fewest requests so far. */
    private List<Pair> poorestFirst(List<Pair> pairs) throws IOException {
        NightTally tally = NightTally.of(directory);
        return pairs.stream()
                .sorted(Comparator.comparingLong(pair -> tally.requests(pair.store(), pair.door())))
                .toList();
    }

    private void run(NightPiece piece) throws IOException, InterruptedException {
        long from = System.nanoTime();
        Path temporary = Files.createTempDirectory("semel-night");
        boolean ended = await(piece, start(piece, temporary), temporary);
        String name = temporary.toString();
        try {
            TempDirectory.delete(temporary);
        } catch (IOException e) {
            System.out.printf("%s cannot be deleted: %s%n", name, e);
        }
        Map<String, Double> numbers = piece.numbers(directory);
        String broken = NightPiece.broken(numbers);
        System.out.printf(
                Locale.ROOT,
                "%s  %s: %s%s, %.0f requests, %.0f kills, %d s%n",
                LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS),
                piece,
                broken.isEmpty() ? "held" : "BROKEN: " + broken,
                ended ? "" : ", killed",
                numbers.getOrDefault("requests", 0.0),
                numbers.getOrDefault("faults.kill", 0.0),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - from));
        piece.story(directory).forEach(line -> System.out.println("    " + line));
    }

    /** With a directory of its own for all that it and its nodes and servers would leave behind. */
    private Process start(NightPiece piece, Path temporary) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--store=" + piece.store(),
                        "--door=" + piece.door(),
                        "--seed=" + piece.seed(),
                        "--faults=" + faults,
                        "--seconds=" + seconds,
                        "--nodes=" + nodes,
                        "--rate=" + Math.min(rate, piece.store().usualRate()),
                        "--lease=" + lease,
                        "--json=" + piece.json(directory),
                        "--minimise",
                        "--minimise-minutes=" + minimiseMinutes,
                        "--verbose")
                .redirectErrorStream(true)
                .redirectOutput(piece.log(directory).toFile());
        builder.environment().put("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary);
        return builder.start();
    }

    /** Waits until it has ended, or kills it if it does not; no process of it is left in either case. */
    private boolean await(NightPiece piece, Process process, Path temporary) throws IOException, InterruptedException {
        Thread emergency = new Thread(() -> Processes.killAll(process, temporary), "emergency");
        Runtime.getRuntime().addShutdownHook(emergency);
        long patience = seconds + BESIDES.toSeconds();
        boolean ended = process.waitFor(patience, TimeUnit.SECONDS);
        if (!ended && Files.exists(piece.json(directory))) {
            // It has come to a verdict, and looks for the fewest faults.
            ended = process.waitFor(TimeUnit.MINUTES.toSeconds(minimiseMinutes) + patience, TimeUnit.SECONDS);
        }
        if (!ended) {
            // So that its log shows what it was waiting for.
            Processes.dumpThreads(process);
        }
        Processes.killAll(process, temporary);
        Runtime.getRuntime().removeShutdownHook(emergency);
        return ended;
    }

    private static List<String> names(Object[] values) {
        return Arrays.stream(values).map(Object::toString).toList();
    }
}
