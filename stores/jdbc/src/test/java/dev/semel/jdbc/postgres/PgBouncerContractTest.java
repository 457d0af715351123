package dev.semel.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.postgres.statement.PostgresSession;
import dev.semel.testservers.PgBouncer;
import dev.semel.testservers.TestPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** PgBouncer in transaction mode, and an application whose clock is seven hours ahead. */
class PgBouncerContractTest extends ShiftedClockContract {

    private static String database;
    private static PgBouncer pooler;

    @BeforeAll
    static void connect() throws IOException {
        assumeTrue(PgBouncer.isInstalled(), PgBouncer.MISSING);
        database = TestPostgres.newDatabase();
        try (HikariDataSource admin = TestPostgres.pool(database, 1)) {
            TestDatabase.prepare(admin, database, Duration.ofHours(-7));
        }
        pooler = PgBouncer.start(TestPostgres.server().getPort());
        connect(pool());
    }

    @Test
    void isNoticed() throws SQLException {
        try (HikariDataSource pool = pool();
                Connection through = pool.getConnection();
                Connection direct = TestPostgres.server().getPostgresDatabase().getConnection()) {
            assertThat(PostgresSession.isOwn(through)).isFalse();
            assertThat(PostgresSession.isOwn(direct)).isTrue();
        }
    }

    private static HikariDataSource pool() {
        return TestPostgres.pool("jdbc:postgresql://localhost:" + pooler.port() + "/" + database, "postgres", 16);
    }

    @AfterAll
    static void stop() throws IOException {
        if (pooler != null) {
            pooler.close();
        }
    }
}
