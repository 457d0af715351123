package dev.semel.jdbc.innodb;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcStoreContract;
import dev.semel.testservers.TestMySql;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
class MySqlStoreContractTest extends JdbcStoreContract {

    @Override
    protected HikariDataSource newDatabase() {
        return TestMySql.newDatabase(16);
    }
}
