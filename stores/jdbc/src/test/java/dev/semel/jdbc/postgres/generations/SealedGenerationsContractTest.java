package dev.semel.jdbc.postgres.generations;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SealedForTests;

/** The contract on generations, with everything sealed. */
class SealedGenerationsContractTest extends RotatingStoreContractTest {

    @Override
    protected KeyStore openStore() {
        return SealedForTests.around(super.openStore());
    }
}
