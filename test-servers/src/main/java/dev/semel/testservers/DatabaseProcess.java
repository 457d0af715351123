package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The process of a database server, its directory and its port, which it keeps when it is started again. */
final class DatabaseProcess {

    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long POLL_NANOS = 100_000_000;

    private final String name;
    private final Path directory;
    private final int port;
    private final List<String> command;
    private final String url;
    private Process process;

    /**
     * Starts the server, and waits until it accepts connections.
     *
     * @param command its executable and arguments, but for the port
     * @param urlPrefix what comes before the port in a URL of the server
     */
    DatabaseProcess(String name, Path directory, List<String> command, String urlPrefix) throws IOException {
        this.name = name;
        this.directory = directory;
        this.port = freePort();
        this.command = new ArrayList<>(command);
        this.command.add("--port=" + port);
        this.url = urlPrefix + port + "/";
        this.process = start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    private Process start() throws IOException {
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (started.isAlive() && !accepts() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        if (!accepts()) {
            started.destroyForcibly();
            throw new IOException(name + " did not start:\n" + Files.readString(directory.resolve("log")));
        }
        return started;
    }

    private boolean accepts() {
        try {
            DriverManager.getConnection(url, "root", "").close();
            return true;
        } catch (SQLException notYet) {
            return false;
        }
    }

    /** As when the machine loses power, but for what the operating system has yet to write. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    void restart() throws IOException {
        process = start();
    }

    /** Ends the server, and removes its directory. */
    void remove() {
        process.destroyForcibly().onExit().join();
        try {
            delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
