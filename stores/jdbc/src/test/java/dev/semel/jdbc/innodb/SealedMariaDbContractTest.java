package dev.semel.jdbc.innodb;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SealedForTests;

/** The contract on MariaDB, with everything sealed. */
class SealedMariaDbContractTest extends MariaDbStoreContractTest {

    @Override
    protected KeyStore openStore() {
        return SealedForTests.around(super.openStore());
    }
}
