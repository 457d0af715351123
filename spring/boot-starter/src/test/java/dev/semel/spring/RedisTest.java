package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.redis.RedisKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.testservers.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
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
    void isUsedAsItsUrlSaysUnlessAPropertySaysOtherwise() throws IOException {
        try (RedisClient client = RedisClient.create(redis.url());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            String url = "semel.redis.url=" + redis.url();
            application
                    .withPropertyValues(url + "?prefix=own&setUp=true")
                    .run(context -> assertThat(connection.sync().keys("own:*")).isNotEmpty());
            application
                    .withPropertyValues(url + "?prefix=own&replicas=1")
                    .run(context -> assertThat(
                                    context.getBean(RedisKeyStore.class).warnings())
                            .anyMatch(warning -> warning.contains("1 are to confirm")));
            application
                    .withPropertyValues(url + "?prefix=own&setUp=true&replicas=1")
                    .withPropertyValues("semel.redis.prefix=other", "semel.redis.replicas=0")
                    .run(context ->
                            assertThat(connection.sync().keys("other:*")).isNotEmpty());
            application
                    .withPropertyValues(url + "?prefix=third&setUp=true", "semel.redis.set-up-if-empty=false")
                    .run(context ->
                            assertThat(connection.sync().keys("third:*")).isEmpty());
        }
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
