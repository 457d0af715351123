package dev.semel.torture.server;

import java.io.IOException;

/** What the operating system can do to processes that are not our own. */
public final class Processes {

    private Processes() {}

    /**
     * From now on a write of the process that would make a file larger than this fails, as on a full disk. A process
     * that has ended meanwhile is passed over.
     */
    public static void limitFileSize(long pid, String bytes) throws IOException, InterruptedException {
        Process prlimit = new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--fsize=" + bytes + ":")
                .redirectErrorStream(true)
                .start();
        String output = new String(prlimit.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (prlimit.waitFor() != 0 && ProcessHandle.of(pid).isPresent()) {
            throw new IOException("the file size of process " + pid + " could not be limited: " + output.strip());
        }
    }
}
