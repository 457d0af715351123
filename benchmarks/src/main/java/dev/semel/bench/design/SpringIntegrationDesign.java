package dev.semel.bench.design;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.server.PostgresServer;
import java.sql.SQLException;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;

/** Spring Integration's metadata store, as its idempotent receiver uses it. It keeps no outcome. */
public final class SpringIntegrationDesign implements ContendedDesign {

    private static final String CREATE = """
            CREATE TABLE int_metadata_store (
                metadata_key   varchar(255) NOT NULL,
                metadata_value varchar(4000),
                region         varchar(100) NOT NULL,
                CONSTRAINT int_metadata_store_pk PRIMARY KEY (metadata_key, region))""";

    private final PostgresServer server;
    private final HikariDataSource pool;
    private final JdbcMetadataStore store;

    public SpringIntegrationDesign(PostgresServer server, int connections) throws SQLException {
        this.server = server;
        server.execute(CREATE);
        this.pool = server.pool(connections);
        this.store = new JdbcMetadataStore(pool);
        store.afterPropertiesSet();
        store.start();
    }

    @Override
    public String name() {
        return "springIntegration";
    }

    @Override
    public void clear() throws SQLException {
        server.execute("TRUNCATE int_metadata_store");
    }

    @Override
    public void cycle(String key) {
        if (!claim(key)) {
            throw new IllegalStateException("key " + key + " was not free");
        }
    }

    @Override
    public boolean claim(String key) {
        return store.putIfAbsent(key, "1") == null;
    }

    @Override
    public void verify(long cycles) throws SQLException {
        Verification.requireEqual(name(), cycles, server.number("SELECT count(*) FROM int_metadata_store"));
    }

    @Override
    public long bytes() {
        return -1;
    }

    @Override
    public void close() {
        store.stop();
        pool.close();
    }
}
