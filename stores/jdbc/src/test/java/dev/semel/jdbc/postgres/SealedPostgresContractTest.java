package dev.semel.jdbc.postgres;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SealedForTests;

/** The contract on PostgreSQL, with everything sealed. */
class SealedPostgresContractTest extends PostgresSmallPoolContractTest {

    @Override
    protected KeyStore openStore() {
        return SealedForTests.around(super.openStore());
    }
}
