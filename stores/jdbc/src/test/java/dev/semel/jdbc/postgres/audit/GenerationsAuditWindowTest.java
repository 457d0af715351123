package dev.semel.jdbc.postgres.audit;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.PgBouncer;
import dev.semel.testservers.TestPostgres;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The audit window on a table that keeps its keys in generations; behind PgBouncer where that is installed. */
class GenerationsAuditWindowTest extends AuditWindow {

    private static @Nullable PgBouncer pooler;

    GenerationsAuditWindowTest() {
        super(true);
    }

    @BeforeAll
    static void startPooler() throws IOException {
        pooler = PgBouncer.isInstalled() ? PgBouncer.start(TestPostgres.server().getPort()) : null;
    }

    @AfterAll
    static void stopPooler() throws IOException {
        if (pooler != null) {
            pooler.close();
        }
    }

    @Override
    HikariDataSource pool(String database) {
        return pooler == null
                ? super.pool(database)
                : TestPostgres.pool("jdbc:postgresql://localhost:" + pooler.port() + "/" + database, "postgres", 16);
    }
}
