package dev.semel.bench.design;

import dev.semel.bench.server.PostgresServer;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;

/** Spring Integration's metadata store, as its idempotent receiver uses it. It keeps no outcome. */
public final class SpringIntegrationDesign extends Design implements ContendedDesign {

    private static final String CREATE = """
            CREATE TABLE int_metadata_store (
                metadata_key   varchar(255) NOT NULL,
                metadata_value varchar(4000),
                region         varchar(100) NOT NULL,
                CONSTRAINT int_metadata_store_pk PRIMARY KEY (metadata_key, region))""";

    private final JdbcMetadataStore store;

    public SpringIntegrationDesign(PostgresServer server, int connections) {
        super("springIntegration", server, connections, "int_metadata_store");
        server.execute(CREATE);
        this.store = new JdbcMetadataStore(pool);
        store.afterPropertiesSet();
        store.start();
    }

    @Override
    public void cycle(String key) {
        require(claim(key), key, "was not free");
    }

    @Override
    public boolean claim(String key) {
        return store.putIfAbsent(key, "1") == null;
    }

    @Override
    public void close() {
        store.stop();
        super.close();
    }
}
