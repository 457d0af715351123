package dev.semel.quarkus.runtime;

import dev.semel.Namespace;
import dev.semel.Semel;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpListener;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.observe.SemelListener;
import dev.semel.quarkus.SemelConfig;
import dev.semel.spi.KeyStore;
import io.quarkus.arc.DefaultBean;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store, the engine and the gate, unless the application has its own. */
@Singleton
public class SemelBeans {

    private static final Logger LOG = LoggerFactory.getLogger(SemelBeans.class);

    /** Opens the store and binds all operations when the application starts, so that it does not start with what cannot work. */
    void start(@Observes StartupEvent event, RestGuard guard) {
        guard.start();
    }

    @Produces
    @Singleton
    @DefaultBean
    KeyStore store(SemelConfig config, Instance<DataSource> dataSources) {
        if (config.store() == SemelConfig.StoreKind.MEMORY) {
            LOG.warn(
                    "Semel keeps its keys in the memory of this process, because semel.store=memory: they are lost when"
                            + " it ends, and no other process can see them");
            return InMemoryKeyStore.create();
        }
        if (!dataSources.isResolvable()) {
            throw new IllegalStateException("There is no store that Semel could keep its keys in. Configure the default"
                    + " data source (quarkus.datasource.db-kind, and quarkus-jdbc-postgresql or another driver), or"
                    + " define a bean of type dev.semel.spi.KeyStore. For a test, or a single process that may"
                    + " lose its keys, set semel.store=memory.");
        }
        SemelConfig.Jdbc jdbc = config.jdbc();
        JdbcKeyStore.Builder store = JdbcKeyStore.builder(dataSources.get()).table(jdbc.table());
        jdbc.schema().ifPresent(store::schema);
        jdbc.generations().ifPresent(store::generations);
        jdbc.auditWindow().ifPresent(store::auditWindow);
        return (jdbc.createIfMissing() ? store.createIfMissing() : store).build();
    }

    void close(@Disposes KeyStore store) {
        store.close();
    }

    @Produces
    @Singleton
    @DefaultBean
    Semel engine(KeyStore store, SemelConfig config, @Any Instance<SemelListener> listeners) {
        Semel.Builder semel = Semel.builder(store)
                .storeTimeout(config.storeTimeout())
                .patience(config.claimPatience(), config.settlePatience())
                .maxWaiting(config.maxWaiting())
                .shutdownGrace(config.shutdownGrace())
                .maintenanceInterval(config.maintenanceInterval());
        listeners.forEach(semel::listener);
        return semel.build();
    }

    void close(@Disposes Semel semel) {
        semel.close();
    }

    @Produces
    @Singleton
    @DefaultBean
    HttpGate gate(Semel semel, SemelConfig config, @Any Instance<HttpListener> listeners) {
        List<HttpListener> told = listeners.stream().toList();
        HttpGate.Builder gate = HttpGate.builder(semel)
                .namespace(Namespace.parse(config.namespace()))
                .listener(event -> told.forEach(listener -> listener.on(event)));
        config.http().replayMarker().ifPresent(markers -> gate.replayMarker(markers.toArray(String[]::new)));
        config.http().statusPath().ifPresent(gate::statusPath);
        return gate.build();
    }
}
