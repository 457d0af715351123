package dev.semel.bench.measure;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Rounds that do not count, until the compiler rests: it works on the same cores, and longer on the side that has more code,
 * so that a measurement beside it would compare compilers.
 */
public final class WarmUp {

    /** The compiler rests when it takes less than this part of a core. */
    private static final double RESTS = 0.05;

    private WarmUp() {}

    /** One round of everything that is measured. */
    @FunctionalInterface
    public interface Round {
        void run() throws Exception;
    }

    /** Runs one round at least, and no more than {@code most}. */
    public static void untilTheCompilerRests(int most, Round round) throws Exception {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        for (int i = 0; i < most; i++) {
            long compiled = compiler.getTotalCompilationTime();
            long startedAt = System.nanoTime();
            round.run();
            Duration took = Duration.ofNanos(System.nanoTime() - startedAt);
            if (compiler.getTotalCompilationTime() - compiled < RESTS * took.toMillis()) {
                return;
            }
        }
    }
}
