package dev.semel.bench.stores;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.measure.LoadDriver;
import dev.semel.bench.measure.MeasurementNames;
import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.measure.Sample;
import dev.semel.bench.server.MariaDbServer;
import dev.semel.bench.server.ServerProcess;
import dev.semel.bench.server.TempDirectory;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.testservers.TestMySql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The store in MariaDB or MySQL against the obvious design: a text key, the response as JSON in the same row, one statement and one
 * commit for the claim and one for the settle, 32 threads on 16 connections.
 */
final class MariaDbBench {

    private static final int THREADS = 32;
    private static final int CONNECTIONS = 16;
    private static final int CALLERS = 256;
    private static final String NAIVE = "naive, 32 threads";

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

    static void run(MeasurementPlan plan, Report report) throws Exception {
        try (TempDirectory directory = TempDirectory.create("mariadb");
                MariaDbServer server = MariaDbServer.start(directory.path());
                HikariDataSource naivePool = server.pool(CONNECTIONS);
                HikariDataSource pool = server.pool(8)) {
            run("mariadb", naivePool, pool, plan, report);
        }
    }

    /** Measures in MySQL, if it is there: it is too large to be fetched with every build. */
    static void runInMySql(MeasurementPlan plan, Report report) throws Exception {
        if (!TestMySql.isAvailable()) {
            report.text("mysql is skipped: " + TestMySql.MISSING);
            return;
        }
        try (TestMySql server = TestMySql.start(ServerProcess.besideTheJar("mysql"), "--innodb-buffer-pool-size=512M");
                HikariDataSource naivePool = server.createDatabase(CONNECTIONS);
                HikariDataSource pool = server.createDatabase(8)) {
            run("mysql", naivePool, pool, plan, report);
        }
    }

    private static void run(
            String engine, HikariDataSource naivePool, HikariDataSource pool, MeasurementPlan plan, Report report)
            throws Exception {
        String semel = MeasurementNames.inFlight(CALLERS);
        try (JdbcKeyStore store = JdbcKeyStore.builder(pool).createIfMissing().build()) {
            MariaDbServer.execute(naivePool, CREATE);
            StoreCycle cycle = new StoreCycle(store);
            StoreComparison duel = new StoreComparison(engine);
            duel.run(plan, NAIVE, time -> naive(naivePool, time), semel, time -> {
                MariaDbServer.execute(pool, "TRUNCATE semel_key");
                return LoadDriver.inFlight(CALLERS, time, () -> cycle.run(Payload.newKey()));
            });
            duel.report(report, NAIVE, semel, "naive");
        }
    }

    private static Sample naive(HikariDataSource pool, Duration time) throws Exception {
        MariaDbServer.execute(pool, "TRUNCATE idempotency_keys");
        return LoadDriver.threads(THREADS, time, () -> cycle(pool, Payload.newKey()));
    }

    private static void cycle(HikariDataSource pool, String key) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement claim = connection.prepareStatement(CLAIM)) {
            claim.setString(1, key);
            claim.setString(2, HASH);
            require(claim, key);
        }
        try (Connection connection = pool.getConnection();
                PreparedStatement settle = connection.prepareStatement(SETTLE)) {
            settle.setString(1, Payload.of(key));
            settle.setString(2, key);
            require(settle, key);
        }
    }

    private static void require(PreparedStatement write, String key) throws SQLException {
        if (write.executeUpdate() != 1) {
            throw new IllegalStateException("key " + key + " was not written");
        }
    }
}
