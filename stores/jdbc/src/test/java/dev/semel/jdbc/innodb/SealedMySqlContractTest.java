package dev.semel.jdbc.innodb;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SealedForTests;
import dev.semel.testservers.TestMySql;
import org.junit.jupiter.api.condition.EnabledIf;

/** The contract on MySQL, with everything sealed. */
@EnabledIf(value = "dev.semel.testservers.TestMySql#isAvailable", disabledReason = TestMySql.MISSING)
class SealedMySqlContractTest extends MySqlStoreContractTest {

    @Override
    protected KeyStore openStore() {
        return SealedForTests.around(super.openStore());
    }
}
