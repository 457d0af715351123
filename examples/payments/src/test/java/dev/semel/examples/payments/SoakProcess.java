package dev.semel.examples.payments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process of the soak, whose output goes to a file. */
final class SoakProcess {

    private final Path log;
    private final Process process;

    private SoakProcess(Path log, Process process) {
        this.log = log;
        this.process = process;
    }

    static SoakProcess start(Path log, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        Files.deleteIfExists(log);
        return new SoakProcess(
                log,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean hasPrinted(String text) throws IOException {
        return Files.readString(log).contains(text);
    }

    /** As with {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** As an orchestrator does: asks it to end, and kills it if it takes too long. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            kill();
        }
    }

    void pause(long milliseconds) throws IOException, InterruptedException {
        signal("-STOP");
        Thread.sleep(milliseconds);
        signal("-CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", name, "" + process.pid()).start().waitFor();
    }
}
