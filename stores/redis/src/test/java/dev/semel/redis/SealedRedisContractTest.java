package dev.semel.redis;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SealedForTests;

/** The contract on Redis, with everything sealed. */
class SealedRedisContractTest extends RedisStoreContractTest {

    @Override
    protected KeyStore openStore() {
        return SealedForTests.around(super.openStore());
    }
}
