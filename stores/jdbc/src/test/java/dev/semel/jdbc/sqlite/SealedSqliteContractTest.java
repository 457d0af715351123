package dev.semel.jdbc.sqlite;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SealedForTests;

/** The contract on SQLite, with everything sealed. */
class SealedSqliteContractTest extends SqliteStoreContractTest {

    @Override
    protected KeyStore openStore() {
        return SealedForTests.around(super.openStore());
    }
}
