package dev.semel.spring.autoconfigure;

import dev.semel.cassandra.CassandraKeyStore;
import dev.semel.etcd.EtcdKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spring.operation.SemelConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Keys in an engine that a URL names, for applications that have its module. */
enum UrlStore {
    CASSANDRA("cassandra", "dev.semel.cassandra.CassandraKeyStore") {
        @Override
        KeyStore connect(String url) {
            return CassandraKeyStore.connect(url);
        }
    },
    ETCD("etcd", "dev.semel.etcd.EtcdKeyStore") {
        @Override
        KeyStore connect(String url) {
            return EtcdKeyStore.connect(url);
        }
    };

    private final String engine;
    private final String type;

    UrlStore(String engine, String type) {
        this.engine = engine;
        this.type = type;
    }

    abstract KeyStore connect(String url);

    KeyStore open(@Nullable String url) {
        if (!ClassUtils.isPresent(type, UrlStore.class.getClassLoader())) {
            throw new SemelConfigurationException(
                    "Semel cannot keep its keys in " + engine + ": semel-" + engine + " is missing.",
                    "Add the dependency dev.semel:semel-" + engine + ".");
        }
        if (url == null) {
            throw new SemelConfigurationException(
                    "Semel cannot keep its keys in " + engine + ": it is not known where " + engine + " is.",
                    "Set semel." + engine + ".url.");
        }
        return connect(url);
    }
}
