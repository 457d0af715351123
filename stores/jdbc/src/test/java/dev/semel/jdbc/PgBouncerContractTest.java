package dev.semel.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** PgBouncer in transaction mode, and an application whose clock is seven hours ahead. */
class PgBouncerContractTest extends ShiftedClockContract {

    private static PgBouncer pooler;

    @BeforeAll
    static void connect() throws IOException {
        assumeTrue(PgBouncer.isInstalled(), "there is no command pgbouncer (Debian package pgbouncer)");
        String database = TestPostgres.newDatabase();
        try (HikariDataSource admin = TestPostgres.pool(database, 1)) {
            TestDatabase.prepare(admin, database, Duration.ofHours(-7));
        }
        pooler = PgBouncer.start(TestPostgres.server().getPort());
        connect(TestPostgres.pool("jdbc:postgresql://localhost:" + pooler.port() + "/" + database, "postgres", 16));
    }

    @AfterAll
    static void stop() throws IOException {
        if (pooler != null) {
            pooler.close();
        }
    }
}
