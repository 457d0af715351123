package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.redis.RedisKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.testservers.TestRedis;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Redis as the store of an application that has no database. */
class RedisTest {

    private static TestRedis redis;

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class, SemelAutoConfiguration.class));

    @BeforeAll
    static void start() throws IOException {
        redis = TestRedis.start();
    }

    @AfterAll
    static void stop() throws IOException {
        redis.close();
    }

    @Test
    void isTakenFromWhatSpringDataIsConfiguredWith() {
        application
                .withPropertyValues(
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + redis.port(),
                        "semel.redis.set-up-if-empty=true")
                .run(context -> assertThat(context.getBean(KeyStore.class)).isInstanceOf(RedisKeyStore.class));
    }

    @Test
    void needsToBeFound() {
        application
                .withPropertyValues("semel.store=redis")
                .run(context -> StartUpTest.analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getAction()).contains("semel.redis.url")));
    }
}
