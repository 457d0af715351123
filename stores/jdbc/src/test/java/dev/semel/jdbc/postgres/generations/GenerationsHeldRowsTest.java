package dev.semel.jdbc.postgres.generations;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.postgres.PostgresHeldRowsTest;
import java.time.Duration;

/** The same for a table that keeps its keys in generations. */
class GenerationsHeldRowsTest extends PostgresHeldRowsTest {

    @Override
    protected HikariDataSource newDatabase() {
        HikariDataSource pool = super.newDatabase();
        JdbcKeyStore.builder(pool)
                .generations(Duration.ofHours(12))
                .createIfMissing()
                .build()
                .close();
        return pool;
    }
}
