package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** The same for a table that keeps its keys in generations. */
class GenerationsHeldRowsTest extends PostgresHeldRowsTest {

    @Override
    HikariDataSource newDatabase() {
        HikariDataSource pool = super.newDatabase();
        JdbcKeyStore.builder(pool)
                .generations(Duration.ofHours(12))
                .createIfMissing()
                .build()
                .close();
        return pool;
    }
}
