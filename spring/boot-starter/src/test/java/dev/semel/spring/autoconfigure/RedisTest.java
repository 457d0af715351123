package dev.semel.spring.autoconfigure;

import static dev.semel.spring.operation.StartUpFailures.analysed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.redis.RedisKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spring.operation.SemelProperties;
import dev.semel.testservers.TestRedis;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                        "semel.redis.create-if-missing=true")
                .run(context -> assertThat(context.getBean(KeyStore.class)).isInstanceOf(RedisKeyStore.class));
    }

    @Test
    void isFoundWithThePasswordAndTheDatabaseOfSpringData() throws IOException {
        try (TestRedis guarded = TestRedis.start();
                RedisClient client = RedisClient.create(guarded.url());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().configSet("requirepass", "p@ss/w:rd +%");
            connection
                    .sync()
                    .aclSetuser(
                            "shop",
                            AclSetuserArgs.Builder.on()
                                    .addPassword("s@cret")
                                    .allKeys()
                                    .allCommands());
            ApplicationContextRunner guardedApplication = application.withPropertyValues(
                    "spring.data.redis.host=127.0.0.1",
                    "spring.data.redis.port=" + guarded.port(),
                    "semel.redis.create-if-missing=true");
            guardedApplication
                    .withPropertyValues("spring.data.redis.password=p@ss/w:rd +%", "spring.data.redis.database=3")
                    .run(context -> assertThat(context).hasNotFailed());
            connection.sync().select(3);
            assertThat(connection.sync().dbsize()).isPositive();
            connection.sync().select(4);
            assertThat(connection.sync().dbsize()).isZero();
            guardedApplication
                    .withPropertyValues("spring.data.redis.username=shop", "spring.data.redis.password=s@cret")
                    .run(context -> assertThat(context).hasNotFailed());
        }
    }

    @Test
    void usesTheAddressOfSpringData() {
        assertThat(url("spring.data.redis.url=redis://cache:6380/2")).isEqualTo("redis://cache:6380/2");
        assertThat(url("spring.data.redis.url=redis://cache:6380", "spring.data.redis.ssl.enabled=true"))
                .isEqualTo("rediss://cache:6380");
        assertThat(url("spring.data.redis.host=cache", "spring.data.redis.ssl.enabled=true"))
                .isEqualTo("rediss://cache:6379/0");
        assertThat(url(
                        "spring.data.redis.sentinel.master=main",
                        "spring.data.redis.sentinel.nodes=one:26379,two:26380",
                        "spring.data.redis.username=shop",
                        "spring.data.redis.password=a@b,c",
                        "spring.data.redis.database=1"))
                .isEqualTo("redis-sentinel://shop:a%40b%2Cc@one:26379,two:26380/1#main");
        assertThat(url(
                        "spring.data.redis.cluster.nodes=one:7000,two:7001",
                        "spring.data.redis.password=secret",
                        "spring.data.redis.ssl.enabled=true"))
                .isEqualTo("rediss-cluster://:secret@one:7000,two:7001");
        assertThat(url("spring.data.redis.timeout=3s")).isNull();
        assertThat(url("semel.redis.url=redis://other", "spring.data.redis.host=cache"))
                .isEqualTo("redis://other");
    }

    private String url(String... properties) {
        AtomicReference<String> url = new AtomicReference<>();
        application
                .withPropertyValues("semel.store=memory")
                .withPropertyValues(properties)
                .run(context -> url.set(
                        RedisStores.url(context.getBean(SemelProperties.class).redis(), context.getEnvironment())));
        return url.get();
    }

    @ParameterizedTest
    @CsvSource({
        "ssl.bundle, spring.data.redis.host=cache, spring.data.redis.ssl.bundle=own",
        "sentinel.password, spring.data.redis.sentinel.nodes=one:26379, spring.data.redis.sentinel.password=secret",
        "sentinel, spring.data.redis.url=redis://cache, spring.data.redis.sentinel.nodes=one:26379"
    })
    void isNotSoughtWhereNoUrlLeads(String named, String one, String other) {
        ApplicationContextRunner configured = application.withPropertyValues(one, other);
        configured.run(context -> analysed(context.getStartupFailure(), analysis -> {
            assertThat(analysis.getDescription()).contains("spring.data.redis." + named);
            assertThat(analysis.getAction()).contains("semel.redis.url");
        }));
        configured
                .withPropertyValues("semel.store=memory")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void isUsedAsItsUrlSaysUnlessAPropertySaysOtherwise() throws IOException {
        try (RedisClient client = RedisClient.create(redis.url());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            String url = "semel.redis.url=" + redis.url();
            application
                    .withPropertyValues(url + "?prefix=own&createIfMissing=true")
                    .run(context -> assertThat(connection.sync().keys("own:*")).isNotEmpty());
            application
                    .withPropertyValues(url + "?prefix=own&replicas=1")
                    .run(context -> assertThat(
                                    context.getBean(RedisKeyStore.class).warnings())
                            .anyMatch(warning -> warning.contains("1 must confirm")));
            application
                    .withPropertyValues(url + "?prefix=own&createIfMissing=true&replicas=1")
                    .withPropertyValues("semel.redis.prefix=other", "semel.redis.replicas=0")
                    .run(context ->
                            assertThat(connection.sync().keys("other:*")).isNotEmpty());
            application
                    .withPropertyValues(
                            url + "?prefix=third&createIfMissing=true", "semel.redis.create-if-missing=false")
                    .run(context ->
                            assertThat(connection.sync().keys("third:*")).isEmpty());
        }
    }

    @Test
    void needsToBeFound() {
        application
                .withPropertyValues("semel.store=redis")
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getAction()).contains("semel.redis.url")));
    }
}
