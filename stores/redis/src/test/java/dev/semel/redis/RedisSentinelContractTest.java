package dev.semel.redis;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.StoreContract;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class RedisSentinelContractTest extends StoreContract {

    private final String prefix = SharedRedis.newPrefix();

    @Override
    protected KeyStore openStore() {
        return SharedRedis.SENTINEL.open(prefix);
    }

    @Override
    protected void clear() {
        // Each test has a store of its own.
    }
}
