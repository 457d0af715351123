package dev.semel.redis;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.StoreContract;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Without functions, as before Redis 7. */
@Execution(ExecutionMode.CONCURRENT)
class RedisScriptsContractTest extends StoreContract {

    private final String prefix = SharedRedis.newPrefix();

    @Override
    protected KeyStore openStore() {
        return RedisKeyStore.builder(SharedRedis.SINGLE.url())
                .prefix(prefix)
                .createIfMissing()
                .functions(false)
                .build();
    }

    @Override
    protected void clear() {
        // Each test has a store of its own.
    }
}
