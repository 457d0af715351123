package dev.semel.jdbc.innodb;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcStoreContract;
import dev.semel.testservers.TestMariaDb;

/** With snapshots that other transactions' commits break, as is the default from version 11.6 on. */
class MariaDbSnapshotStoreContractTest extends JdbcStoreContract {

    @Override
    protected HikariDataSource newDatabase() {
        return TestMariaDb.newDatabase(16, "?sessionVariables=innodb_snapshot_isolation=ON");
    }
}
