package dev.semel.bench.engine;

import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.bench.measure.Payload;
import dev.semel.policy.Policy;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * How much memory an operation takes while it is in flight, measured in a process of its own: many operations have claimed their keys,
 * and none has completed.
 */
final class OperationsInFlight {

    private static final int OPERATIONS = 100_000;
    private static final int WARM_UP = 5_000;
    private static final String HEAP = "-Xmx512m";

    private OperationsInFlight() {}

    /** Measures in a new process. The answer is in bytes for each operation, with its key in the store. */
    static double bytesPerOperation() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OperationsInFlight.class.getName())
                .redirectError(Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(OPERATIONS + " operations in flight failed with " + HEAP + ": " + said);
        }
        return Double.parseDouble(said.lines().reduce("", (before, line) -> line));
    }

    /** Prints the bytes for each operation; fails unless all of them are settled in the end. */
    public static void main(String[] args) {
        try (Semel semel = EngineBenchmark.engine()) {
            ExternalOperation<String> charge =
                    semel.operation(Policy.external("charge").build(), OutcomeCodec.text());
            settle(start(charge, WARM_UP));
            long before = heapInUse();
            List<Started> started = start(charge, OPERATIONS);
            long bytes = heapInUse() - before;
            int inFlight = semel.activity().running();
            if (inFlight != OPERATIONS) {
                throw new IllegalStateException(inFlight + " of " + OPERATIONS + " operations were in flight");
            }
            settle(started);
            System.out.println((double) bytes / OPERATIONS);
        }
    }

    private record Started(CompletableFuture<String> work, CompletionStage<Execution<String>> execution) {}

    private static List<Started> start(ExternalOperation<String> charge, int count) {
        Fingerprint body = Fingerprint.of("body");
        List<Started> started = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            CompletableFuture<String> work = new CompletableFuture<>();
            started.add(new Started(work, charge.runAsync(Key.of("tenant", Payload.newKey()), body, attempt -> work)));
        }
        return started;
    }

    private static void settle(List<Started> started) {
        started.forEach(one -> one.work.complete("done"));
        for (Started one : started) {
            Execution<String> execution = one.execution.toCompletableFuture().join();
            if (!(execution instanceof Execution.Executed<String> executed) || !executed.isStored()) {
                throw new IllegalStateException("an operation was not settled: " + execution);
            }
        }
    }

    private static long heapInUse() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
