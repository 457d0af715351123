package dev.semel.bench.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The processor time of processes, as Linux counts it. */
final class CpuTime {

    /** The field of the time in the program; those in the system, and of ended children in both, come next. */
    private static final int USER_TIME = 11;

    private static final int MICROS_PER_TICK = 10_000;

    private CpuTime() {}

    /** Microseconds of processes, and of their children that have ended. */
    static long micros(Collection<ProcessHandle> processes) {
        return processes.stream()
                .mapToLong(process -> micros(directory(process).resolve("stat")))
                .sum();
    }

    /**
     * The same without the threads that compile Java, which are busy for some minutes after a start: a gateway that has
     * run for as long as another has compiled more if it got more requests.
     */
    static long microsWithoutCompiler(Collection<ProcessHandle> gateways) {
        return micros(gateways)
                - gateways.stream().mapToLong(CpuTime::compilerMicros).sum();
    }

    private static long compilerMicros(ProcessHandle gateway) {
        try (Stream<Path> threads = Files.list(directory(gateway).resolve("task"))) {
            List<Path> stats = threads.map(thread -> thread.resolve("stat")).toList();
            return stats.stream()
                    .filter(stat -> read(stat).matches("(?s)\\d+ \\(C[12] Compiler.*"))
                    .mapToLong(CpuTime::micros)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path directory(ProcessHandle process) {
        return Path.of("/proc", "" + process.pid());
    }

    private static long micros(Path stat) {
        String text = read(stat);
        // Behind the name of the program, which may have any character.
        return text.isEmpty()
                ? 0
                : micros(text.substring(text.lastIndexOf(')') + 2).split(" "));
    }

    private static long micros(String[] fields) {
        return IntStream.range(USER_TIME, USER_TIME + 4)
                .mapToLong(i -> Long.parseLong(fields[i]) * MICROS_PER_TICK)
                .sum();
    }

    /** Nothing of a process that has ended: its parent has its time. */
    private static String read(Path stat) {
        try {
            return Files.readString(stat);
        } catch (IOException e) {
            return "";
        }
    }
}
