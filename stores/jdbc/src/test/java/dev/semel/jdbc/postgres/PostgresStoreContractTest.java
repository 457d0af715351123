package dev.semel.jdbc.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcStoreContract;
import dev.semel.testservers.TestPostgres;

class PostgresStoreContractTest extends JdbcStoreContract {

    @Override
    protected HikariDataSource newDatabase() {
        return TestPostgres.pool(TestPostgres.newDatabase(), 16);
    }
}
