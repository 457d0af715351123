package dev.semel.dynamodb;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SealedForTests;

/** The contract on DynamoDB, with everything sealed. */
class SealedDynamoDbContractTest extends DynamoDbStoreContractTest {

    @Override
    protected KeyStore openStore() {
        return SealedForTests.around(super.openStore());
    }
}
