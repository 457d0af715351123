package dev.semel.attack.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A gateway in a process of its own, with the heap of a small container. */
public record GatewayProcess(Process process, Path log) implements AutoCloseable {

    private static final String HEAP = "-Xmx384m";
    private static final int CALLED_WRONGLY = 2;
    private static final int START_SECONDS = 60;
    private static final Pattern PROXY = Pattern.compile("(https?)://[^\\s/]*:(\\d+) ->");
    private static final Pattern CONSOLE = Pattern.compile("console: (https?)://[^\\s/]*:(\\d+)/");

    /** Starts {@code semel serve} with these options, and returns immediately. */
    public static GatewayProcess start(Path directory, List<String> options) throws IOException {
        Files.createDirectories(directory);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.semel.cli.SemelCommand",
                "serve"));
        command.addAll(options);
        Path log = directory.resolve("gateway.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().remove("SEMEL_ADMIN_TOKEN");
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new GatewayProcess(process, log);
    }

    /** Waits until it serves, and gives where; a gateway that does not is an {@link IOException} with what it said. */
    Target awaitReady(String adminToken) throws IOException, InterruptedException {
        String said = awaitStart();
        Matcher proxy = PROXY.matcher(said);
        Matcher console = CONSOLE.matcher(said);
        if (!said.contains("ready after") || !proxy.find() || !console.find()) {
            throw new IOException("the gateway does not start: " + firstLine(said));
        }
        return new Target(
                InetAddress.getByName("127.0.0.1"),
                Integer.parseInt(proxy.group(2)),
                proxy.group(1).equals("https"),
                Integer.parseInt(console.group(2)),
                console.group(1).equals("https"),
                adminToken);
    }

    /** What it has printed when it serves, or has ended, or is given up. */
    public String awaitStart() throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (System.nanoTime() < end && process.isAlive() && !said().contains("ready after")) {
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
        return said();
    }

    public String said() throws IOException {
        return Files.readString(log);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it has ended because it was called wrongly. */
    public boolean refusedItsOptions() {
        return !process.isAlive() && process.exitValue() == CALLED_WRONGLY;
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("it says nothing");
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
