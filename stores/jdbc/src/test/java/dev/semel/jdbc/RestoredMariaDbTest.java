package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestMariaDb;

/** A MariaDB database whose tables are dropped, made anew, and filled from a dump. */
class RestoredMariaDbTest extends RestoredInnoDb {

    @Override
    HikariDataSource newDatabase() {
        return TestMariaDb.newDatabase(8);
    }
}
