package dev.semel.cassandra;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SealedForTests;

/** The contract on Cassandra, with everything sealed. */
class SealedCassandraContractTest extends CassandraStoreContractTest {

    @Override
    protected KeyStore openStore() {
        return SealedForTests.around(super.openStore());
    }
}
