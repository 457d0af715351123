package dev.semel.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.etcd.EtcdKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.store.StoreUnavailableException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Engines that a URL names: nobody listens on port 1. */
class UrlStoreTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class, SemelAutoConfiguration.class));

    /** etcd is connected to when it is first used. */
    @Test
    void keepsKeysInEtcd() {
        application
                .withPropertyValues("semel.store=etcd", "semel.etcd.url=etcd://127.0.0.1:1/shop")
                .run(context -> assertThat(context.getBean(KeyStore.class)).isInstanceOf(EtcdKeyStore.class));
    }

    @Test
    void reachesForCassandra() {
        application
                .withPropertyValues("semel.store=cassandra", "semel.cassandra.url=cassandra://127.0.0.1:1/shop")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(Exception.class)
                        .hasStackTraceContaining(StoreUnavailableException.class.getName())
                        .hasStackTraceContaining("127.0.0.1:1"));
    }
}
