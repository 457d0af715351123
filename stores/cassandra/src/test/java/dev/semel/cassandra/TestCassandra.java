package dev.semel.cassandra;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import dev.semel.testservers.cassandra.CassandraCluster;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The cluster that the test classes of this module share. */
final class TestCassandra {

    private TestCassandra() {}

    /** The cluster; tests skip where Java 17 is not installed. */
    static CassandraCluster cluster() {
        assumeTrue(CassandraCluster.isPossible(), "there is no Java 17, which Cassandra needs");
        return Shared.CLUSTER;
    }

    /** A session for a keyspace that has the table of a store. Its reads see what the store has written. */
    static CqlSession session(String keyspace) {
        CassandraKeyStore.connect(cluster().storeUrl(keyspace)).close();
        CqlSessionBuilder builder = CqlSession.builder()
                .withLocalDatacenter("datacenter1")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                        .build());
        for (String host : cluster().hosts()) {
            String[] parts = host.split(":");
            builder.addContactPoint(new InetSocketAddress(parts[0], Integer.parseInt(parts[1])));
        }
        return builder.build();
    }

    private static final class Shared {
        static final CassandraCluster CLUSTER = CassandraCluster.start("512m");
    }
}
