package dev.semel.examples.orders;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One of the services in a separate process, which can be killed and started again. */
final class ServiceProcess {

    final String name;
    /** How far the part has come, as a query: it grows only while the part is at work. */
    final String progress;

    private final List<String> command;
    private @Nullable Process process;

    ServiceProcess(String name, String progress, String... arguments) {
        this.name = name;
        this.progress = progress;
        this.command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                OrdersExample.class.getName(),
                name));
        command.addAll(List.of(arguments));
    }

    void start() throws Exception {
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** As with {@code kill -9}. */
    void kill() throws InterruptedException {
        if (process != null && !process.destroyForcibly().waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " did not die");
        }
    }
}
