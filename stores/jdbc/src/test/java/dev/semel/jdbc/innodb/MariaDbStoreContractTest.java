package dev.semel.jdbc.innodb;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcStoreContract;
import dev.semel.testservers.TestMariaDb;

class MariaDbStoreContractTest extends JdbcStoreContract {

    @Override
    protected HikariDataSource newDatabase() {
        return TestMariaDb.newDatabase(16);
    }
}
