package dev.semel.spring.autoconfigure;

import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.RestoreGuard;
import dev.semel.jdbc.UnsupportedDatabaseException;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.operation.SemelProperties;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Chooses where keys are kept. A store that could forget them is never chosen by default. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
        })
@EnableConfigurationProperties(SemelProperties.class)
class StoreAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(StoreAutoConfiguration.class);

    private static final String USUAL_TABLE = "semel_key";

    /** As often as the gateway looks. */
    private static final Duration RESTORE_CHECK = Duration.ofSeconds(5);

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    KeyStore semelKeyStore(
            SemelProperties properties, ObjectProvider<DataSource> dataSources, Environment environment) {
        DataSource dataSource = dataSources.getIfUnique();
        return switch (properties.store()) {
            case MEMORY -> memory();
            case REDIS -> redis(properties.redis(), environment);
            case CASSANDRA -> UrlStore.CASSANDRA.open(properties.cassandra().url());
            case ETCD -> UrlStore.ETCD.open(properties.etcd().url());
            case JDBC -> database(properties.jdbc(), dataSource, dataSources);
            case AUTO ->
                dataSources.stream().findAny().isEmpty()
                                && RedisStores.PRESENT
                                && RedisStores.url(properties.redis(), environment) != null
                        ? redis(properties.redis(), environment)
                        : database(properties.jdbc(), dataSource, dataSources);
        };
    }

    private static KeyStore memory() {
        LOG.warn("Semel keeps its keys in the memory of this process, because semel.store=memory: they are lost when it"
                + " ends, and no other process can see them");
        return InMemoryKeyStore.create();
    }

    private static KeyStore redis(SemelProperties.Redis properties, Environment environment) {
        String url = RedisStores.url(properties, environment);
        if (!RedisStores.PRESENT || url == null) {
            throw new SemelConfigurationException(
                    "Semel cannot keep its keys in Redis: "
                            + (RedisStores.PRESENT ? "it is not known where Redis is." : "semel-redis is missing."),
                    RedisStores.PRESENT
                            ? "Set semel.redis.url, or spring.data.redis.url."
                            : "Add the dependency dev.semel:semel-redis.");
        }
        return RedisStores.open(properties, url);
    }

    private static KeyStore database(
            SemelProperties.Jdbc properties, @Nullable DataSource dataSource, ObjectProvider<DataSource> all) {
        if (dataSource == null) {
            throw all.stream().findAny().isPresent()
                    ? new SemelConfigurationException(
                            "There is more than one DataSource that Semel could keep its keys in.",
                            "Mark one as @Primary, or define a bean of type dev.semel.spi.KeyStore, or keep the keys"
                                    + " elsewhere (semel.store=redis).")
                    : new SemelConfigurationException(
                            "There is no store that Semel could keep its keys in.",
                            "Configure a DataSource (spring.datasource.url), or Redis with semel-redis (semel.redis.url), or define a bean of type"
                                    + " dev.semel.spi.KeyStore. For a test, or a single process that may lose its"
                                    + " keys, set"
                                    + " semel.store=memory.");
        }
        JdbcKeyStore.Builder store = JdbcKeyStore.builder(dataSource).table(properties.table());
        if (properties.schema() != null) {
            store.schema(properties.schema());
        }
        if (properties.createIfMissing()) {
            store.createIfMissing();
        }
        if (properties.generations() != null) {
            store.generations(properties.generations());
        }
        if (properties.auditWindow() != null) {
            store.auditWindow(properties.auditWindow());
        }
        try {
            return properties.restoreGuard() ? guarded(properties, store, dataSource) : store.build();
        } catch (UnsupportedDatabaseException e) {
            throw unsupported(e);
        }
    }

    /** The message for a database without support, which is mostly one that an application only has for its tests. */
    private static SemelConfigurationException unsupported(UnsupportedDatabaseException e) {
        return new SemelConfigurationException(
                "The DataSource connects to " + e.product() + ", and Semel cannot keep its keys there: "
                        + e.getMessage() + ".",
                "In tests, set semel.store=memory; if operations have a transactional mode, import"
                        + " dev.semel.spring.test.TransactionalMemory of semel-spring-boot-test instead; or run the tests on"
                        + " the database that production has, for example with Testcontainers or an embedded PostgreSQL."
                        + " In production, connect to a database that can keep keys, or keep them elsewhere"
                        + " (semel.store=redis).",
                e);
    }

    private static KeyStore guarded(
            SemelProperties.Jdbc properties, JdbcKeyStore.Builder store, DataSource dataSource) {
        if (!properties.table().equals(USUAL_TABLE)) {
            throw new SemelConfigurationException(
                    "Semel cannot watch the table " + properties.table() + " for restores.",
                    "semel keys acknowledge-loss, which lets claims through again, knows tables named " + USUAL_TABLE
                            + " only. Leave semel.jdbc.table or semel.jdbc.restore-guard out.");
        }
        JdbcKeyStore keys = store.build();
        try {
            return RestoreGuard.around(keys, dataSource, null, RESTORE_CHECK);
        } catch (RuntimeException e) {
            keys.close();
            throw e;
        }
    }
}
