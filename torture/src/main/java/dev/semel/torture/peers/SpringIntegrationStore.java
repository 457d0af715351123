package dev.semel.torture.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.SystemUnderTest;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;

/** Spring Integration's metadata store, used as its idempotent receiver does: put if absent, then run. No outcome. */
final class SpringIntegrationStore implements SystemUnderTest {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS int_metadata_store (
                metadata_key varchar(255) NOT NULL, metadata_value varchar(4000), region varchar(100) NOT NULL,
                CONSTRAINT int_metadata_store_pk PRIMARY KEY (metadata_key, region))""";

    private final Business business;
    private final JdbcMetadataStore store;

    SpringIntegrationStore(HikariDataSource pool, Business business) {
        this.business = business;
        SqlPeer.createTable(pool, TABLE);
        this.store = new JdbcMetadataStore(pool);
        store.afterPropertiesSet();
        store.start();
    }

    @Override
    public ServiceReply handle(ServiceRequest request) throws Exception {
        if (store.putIfAbsent(SqlPeer.scoped(request), request.id()) != null) {
            return ServiceReply.of(ServiceReply.Kind.IN_FLIGHT);
        }
        return new ServiceReply(ServiceReply.Kind.EXECUTED_UNSETTLED, business.runOutside(request, 1, 0), 1);
    }

    @Override
    public void close() {
        store.stop();
    }
}
