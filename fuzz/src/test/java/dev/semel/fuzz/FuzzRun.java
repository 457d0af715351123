package dev.semel.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One target, fuzzed in a process of its own with a small heap. New inputs stay in its directory for the next run. */
final class FuzzRun {

    private static final String HEAP = "-Xmx192m";
    private static final int HANG_SECONDS = 30;

    /** Takes every connection that a target makes on the loopback for a finding. */
    private static final String NOT_LOOKED_FOR = "com.code_intelligence.jazzer.sanitizers.ServerSideRequestForgery";

    private static final Pattern EXECUTED = Pattern.compile("stat::number_of_executed_units: *([0-9]+)");
    private static final Pattern COVERAGE = Pattern.compile(" cov: ([0-9]+) ");
    private static final Pattern AFTER_COLLECTION = Pattern.compile("->([0-9]+)M\\(");
    private static final Pattern FOUND =
            Pattern.compile("(?m)^== Java Exception: (.*)|^ALARM: .*|^==[0-9]+== ERROR: (.*)");

    /**
     * What a run has measured.
     *
     * @param heapMegabytes what was in use after the last garbage collection
     * @param finding empty if it found nothing
     */
    record Result(Target target, long inputs, long seconds, long heapMegabytes, long coverage, String finding) {}

    private FuzzRun() {}

    static Result of(Target target, long inputs, int seconds) throws IOException, InterruptedException {
        Path directory = Path.of(System.getProperty("semel.fuzz.directory", "target/fuzz"), target.word());
        Path found = Files.createDirectories(directory.resolve("inputs"));
        Path kept = Files.createDirectories(directory.resolve("kept"));
        write(target, kept);
        Path log = directory.resolve("run.log");
        Path collections = directory.resolve("gc.log");
        long began = System.nanoTime();
        Process process = new ProcessBuilder(command(target, inputs, seconds, directory, found, kept, collections))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Thread end = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(end);
        int status = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        String text = Files.readString(log, StandardCharsets.ISO_8859_1);
        return new Result(
                target,
                last(EXECUTED, text),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began),
                last(AFTER_COLLECTION, Files.readString(collections)),
                last(COVERAGE, text),
                status == 0 ? "" : finding(text, status) + " (see " + log + ")");
    }

    private static List<String> command(
            Target target, long inputs, int seconds, Path directory, Path found, Path kept, Path collections) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-XX:+EnableDynamicAgentLoading",
                "-Xlog:gc:file=" + collections + "::filecount=0",
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + target.className(),
                "--instrumentation_includes=" + target.watched(),
                "--custom_hook_includes=" + target.watched(),
                "--disabled_hooks=" + NOT_LOOKED_FOR,
                "--reproducer_path=" + directory));
        Path dictionary = directory.resolve("dictionary");
        command.addAll(List.of(
                "-runs=" + inputs,
                "-max_total_time=" + seconds,
                "-timeout=" + HANG_SECONDS,
                "-rss_limit_mb=0",
                "-max_len=" + target.longest(),
                "-print_final_stats=1",
                "-artifact_prefix=" + directory + "/"));
        if (Files.exists(dictionary)) {
            command.add("-dict=" + dictionary);
        }
        command.addAll(List.of(found.toString(), kept.toString()));
        return command;
    }

    /** Writes the kept inputs where the fuzzer reads them, and the words of a target that it would be long to find. */
    private static void write(Target target, Path directory) throws IOException {
        int number = 0;
        for (byte[] input : Inputs.of(target)) {
            Files.write(directory.resolve("kept-" + number++), input);
        }
        try (var words = FuzzRun.class.getResourceAsStream(target.word() + ".dict")) {
            if (words != null) {
                Files.write(directory.resolveSibling("dictionary"), words.readAllBytes());
            }
        }
    }

    private static long last(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        long last = 0;
        while (matcher.find()) {
            last = Long.parseLong(matcher.group(1));
        }
        return last;
    }

    private static String finding(String text, int status) {
        Matcher matcher = FOUND.matcher(text);
        return matcher.find() ? matcher.group() : "ended with status " + status;
    }
}
