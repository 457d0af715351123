package dev.semel.torture.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the operating system can do to processes that are not our own. */
public final class Processes {

    private Processes() {}

    /**
     * From now on a write of the process that would make a file larger than this fails, as on a full disk. A process
     * that has ended meanwhile is passed over.
     */
    public static void limitFileSize(long pid, String bytes) throws IOException, InterruptedException {
        run(pid, "prlimit", "--pid", Long.toString(pid), "--fsize=" + bytes + ":");
    }

    /** Stops processes from being scheduled, until they are resumed. */
    public static void suspend(Collection<ProcessHandle> processes) throws IOException, InterruptedException {
        signal(processes, "-STOP");
    }

    public static void resume(Collection<ProcessHandle> processes) throws IOException, InterruptedException {
        signal(processes, "-CONT");
    }

    private static void signal(Collection<ProcessHandle> processes, String signal)
            throws IOException, InterruptedException {
        for (ProcessHandle process : processes) {
            run(process.pid(), "kill", signal, Long.toString(process.pid()));
        }
    }

    /** Lets a Java process print what its threads do. */
    public static void dumpThreads(Process process) throws IOException, InterruptedException {
        signal(List.of(process.toHandle()), "-QUIT");
        TimeUnit.SECONDS.sleep(1);
    }

    /** Kills a process and all that name its directory, also those with other parents by now, with everything they started. */
    public static void killAll(Process process, Path directory) {
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), naming(directory))
                .flatMap(each -> Stream.concat(Stream.of(each), each.descendants()))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                // A dead process that no one reaps does not count as ended.
                .completeOnTimeout(null, 10, TimeUnit.SECONDS)
                .join();
    }

    private static Stream<ProcessHandle> naming(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(each -> each.info().commandLine().orElse("").contains(directory.toString()));
    }

    private static void run(long pid, String... command) throws IOException, InterruptedException {
        Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (tool.waitFor() != 0 && ProcessHandle.of(pid).isPresent()) {
            throw new IOException(String.join(" ", command) + " failed: " + output.strip());
        }
    }
}
