package dev.semel.spring.autoconfigure;

import dev.semel.redis.RedisKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spring.operation.SemelProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Keys in Redis, for applications that have semel-redis. */
final class RedisStores {

    static final boolean PRESENT =
            ClassUtils.isPresent("dev.semel.redis.RedisKeyStore", RedisStores.class.getClassLoader());

    private RedisStores() {}

    /** The URL of Redis, or {@code null} if none is configured. */
    static @Nullable String url(SemelProperties.Redis properties, Environment environment) {
        return properties.url() != null ? properties.url() : SpringRedis.url(environment);
    }

    /** Properties that are not set leave the setting to the URL. */
    static KeyStore open(SemelProperties.Redis properties, String url) {
        RedisKeyStore.Builder store = RedisKeyStore.builder(url);
        if (properties.prefix() != null) {
            store.prefix(properties.prefix());
        }
        if (properties.createIfMissing() != null) {
            store.createIfMissing(properties.createIfMissing());
        }
        if (properties.replicas() != null) {
            store.replicas(properties.replicas());
        }
        return store.build();
    }
}
