package dev.semel.spring.autoconfigure;

import dev.semel.cassandra.CassandraKeyStore;
import dev.semel.etcd.EtcdKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spring.operation.SemelConfigurationException;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** A store that a URL names, for applications that have its module. */
enum UrlStore {
    CASSANDRA("dev.semel.cassandra.CassandraKeyStore", url -> CassandraKeyStore.connect(url)),
    ETCD("dev.semel.etcd.EtcdKeyStore", url -> EtcdKeyStore.connect(url));

    private final String type;
    private final Function<String, KeyStore> connect;

    /** @param connect no method reference, which would load the type when this one is */
    UrlStore(String type, Function<String, KeyStore> connect) {
        this.type = type;
        this.connect = connect;
    }

    KeyStore open(@Nullable String url) {
        String engine = name().toLowerCase(Locale.ROOT);
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
        return connect.apply(url);
    }
}
