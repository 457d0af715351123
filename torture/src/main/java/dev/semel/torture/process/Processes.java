package dev.semel.torture.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

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

    private static void run(long pid, String... command) throws IOException, InterruptedException {
        Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (tool.waitFor() != 0 && ProcessHandle.of(pid).isPresent()) {
            throw new IOException(String.join(" ", command) + " failed: " + output.strip());
        }
    }
}
