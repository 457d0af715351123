package dev.semel.spring.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestMySql;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** An application on MySQL, with MySQL's own driver. */
@EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
class MySqlTest {

    @Test
    void runsAMethodOnceInATransactionOfMySql() {
        try (HikariDataSource database = TestMySql.newDatabase(1)) {
            MariaDbTest.runsAMethodOnceInATransaction(database.getJdbcUrl() + "?user=root");
        }
    }
}
