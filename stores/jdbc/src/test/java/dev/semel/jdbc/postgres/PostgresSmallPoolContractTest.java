package dev.semel.jdbc.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestPostgres;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;

/** A pool of two connections, and an application whose clock is five hours behind. */
class PostgresSmallPoolContractTest extends ShiftedClockContract {

    @BeforeAll
    static void connect() {
        String database = TestPostgres.newDatabase();
        try (HikariDataSource admin = TestPostgres.pool(database, 1)) {
            TestDatabase.prepare(admin, database, Duration.ofHours(5));
        }
        connect(TestPostgres.pool(database, 2));
    }
}
