package dev.semel.testservers;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A MariaDB or MySQL in a process of its own, which keeps its port when it is started again. */
public final class DatabaseServer implements AutoCloseable {

    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long POLL_NANOS = 100_000_000;
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final int port;
    private final Path directory;
    private final List<String> command;
    private final String url;
    private Process process;

    /** Starts a server. */
    @FunctionalInterface
    interface Starter {
        DatabaseServer start() throws IOException;
    }

    /**
     * Starts the server, and waits until it accepts connections.
     *
     * @param binary its executable below {@code home}
     * @param directory for its data, log and socket; it is removed with the server
     * @param scheme how a JDBC URL of the server begins
     */
    DatabaseServer(Path home, String binary, Path directory, String scheme, List<String> options) throws IOException {
        this.port = TestPorts.free();
        this.directory = directory;
        this.command = new ArrayList<>(List.of(
                home.resolve(binary).toString(),
                "--no-defaults",
                "--user=root",
                "--basedir=" + home,
                "--lc-messages-dir=" + home.resolve("share"),
                "--datadir=" + directory.resolve("data"),
                "--tmpdir=" + directory,
                "--socket=" + directory.resolve("socket"),
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--skip-name-resolve",
                "--innodb-flush-log-at-trx-commit=1"));
        this.command.addAll(options);
        this.url = scheme + "://127.0.0.1:" + port + "/";
        this.process = run();
    }

    /** A server that ends with this process. */
    static DatabaseServer shared(Starter starter) {
        try {
            DatabaseServer server = starter.start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process run() throws IOException {
        Path log = directory.resolve("log");
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (started.isAlive() && !accepts() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        if (!accepts()) {
            started.destroyForcibly();
            throw new IOException(command.get(0) + " did not start:\n" + Files.readString(log));
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

    public int port() {
        return port;
    }

    /** Where its data is. */
    public Path data() {
        return directory.resolve("data");
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    public String url(String database) {
        return url + database;
    }

    /** A pool of connections to a new, empty database. */
    public HikariDataSource newDatabase(int connections) {
        return newDatabase(connections, "");
    }

    /** The same with options of the driver, such as {@code ?sessionVariables=innodb_snapshot_isolation=ON}. */
    public HikariDataSource newDatabase(int connections, String options) {
        String name = "test_" + DATABASES.incrementAndGet();
        try (HikariDataSource admin = TestPostgres.pool(url, "root", 1)) {
            TestPostgres.execute(admin, "CREATE DATABASE " + name);
        }
        return TestPostgres.pool(url(name + options), "root", connections);
    }

    /** As when the machine loses power, but for what the operating system has yet to write. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    public void restart() throws IOException {
        process = run();
    }

    /** Ends the server, and removes its data. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        try {
            TempDirectory.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
