package dev.semel.servlet;

import dev.semel.redis.RedisKeyStore;
import dev.semel.testkit.http.SwitchableStore;
import dev.semel.testservers.TestRedis;
import org.junit.jupiter.api.AfterAll;

class JettyRedisTest extends ServletConformance {

    private TestRedis redis;

    @Override
    TestServer start() throws Exception {
        redis = TestRedis.start();
        RedisKeyStore store =
                RedisKeyStore.builder(redis.url()).createIfMissing().build();
        return new JettyServer(ErrorRendering.CONTAINER, true, new SwitchableStore(store));
    }

    @AfterAll
    void stopRedis() {
        redis.close();
    }
}
