package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestMySql;
import org.junit.jupiter.api.condition.EnabledIf;

/** A MySQL database whose tables are dropped, made anew, and filled from a dump. */
@EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
class RestoredMySqlTest extends RestoredInnoDb {

    @Override
    HikariDataSource newDatabase() {
        return TestMySql.newDatabase(8);
    }
}
