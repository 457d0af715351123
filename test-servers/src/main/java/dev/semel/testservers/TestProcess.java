package dev.semel.testservers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server in a process of its own, on the class path of the test that kills it. */
public final class TestProcess implements AutoCloseable {

    private static final String LISTENS = "listens on port ";
    private static final Pattern PORT = Pattern.compile(LISTENS + "([0-9]+)");

    private final Process process;
    private final int port;

    private TestProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** For the main method of the process: says where it listens, and does not return while the test lives. */
    public static void listens(int port) throws IOException {
        System.out.println(LISTENS + port);
        if (System.in.read() < 0) {
            Runtime.getRuntime().halt(0);
        }
    }

    /** Starts the process, and returns when it listens. */
    public static TestProcess start(Class<?> main, String... arguments) throws IOException {
        return start(PORT, java("-cp", System.getProperty("java.class.path"), main.getName()), arguments);
    }

    /**
     * Starts a jar that can be run, and returns when it listens.
     *
     * @param listens what the process then prints, with the port in a group
     */
    public static TestProcess startJar(Path jar, Pattern listens, String... options) throws IOException {
        return start(listens, java(options), "-jar", jar.toString());
    }

    private static List<String> java(String... options) {
        return Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Xmx256m"),
                        Stream.of(options))
                .toList();
    }

    private static TestProcess start(Pattern listens, List<String> java, String... arguments) throws IOException {
        List<String> command =
                Stream.concat(java.stream(), Stream.of(arguments)).toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader output = process.inputReader();
        StringBuilder printed = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher found = listens.matcher(line);
            if (found.find()) {
                // What it prints from here on is read, so that it never waits for a reader.
                Thread rest = new Thread(() -> output.lines().forEach(ignored -> {}));
                rest.setDaemon(true);
                rest.start();
                return new TestProcess(process, Integer.parseInt(found.group(1)));
            }
            printed.append(line).append('\n');
        }
        throw new IOException("the process did not start: " + printed);
    }

    public int port() {
        return port;
    }

    /** Kills the process as {@code kill -9} does, and waits for its end. */
    @Override
    public void close() {
        try {
            if (!process.destroyForcibly().waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
