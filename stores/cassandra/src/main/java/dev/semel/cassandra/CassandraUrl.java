package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import dev.semel.spi.life.StoreUrl;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * A URL such as {@code cassandra://host:9042,host:9042/keyspace}, with the parameters {@code datacenter} (the one to connect to,
 * {@code datacenter1} by default), {@code serial} ({@code SERIAL} or {@code LOCAL_SERIAL}), {@code createIfMissing=true}, {@code replicas}
 * (3 by default, for a keyspace that is created) and {@code maxClockSkew} in milliseconds.
 */
record CassandraUrl(StoreUrl url) {

    private static final String FORM = "cassandra://host:9042,host:9042/keyspace?datacenter=datacenter1";
    private static final List<String> KNOWN =
            List.of("datacenter", "serial", "createIfMissing", "replicas", "maxClockSkew");

    static CassandraUrl parse(String text) {
        return new CassandraUrl(StoreUrl.parse(text, FORM, KNOWN));
    }

    /** Connects for a store, which then owns the session and closes it. */
    CassandraKeyStore.Builder builder() {
        ConsistencyLevel serial = DefaultConsistencyLevel.valueOf(url.option("serial", "SERIAL"));
        int replicas = Integer.parseInt(url.option("replicas", "3"));
        Duration skew = url.maxClockSkew();
        CqlSession session = session();
        CassandraKeyStore.Builder store = new CassandraKeyStore.Builder(session, session::close)
                .keyspace(url.path())
                .serial(serial)
                .replicas(datacenter(), replicas)
                .maxClockSkew(skew);
        return Boolean.parseBoolean(url.option("createIfMissing", "false")) ? store.createIfMissing() : store;
    }

    private String datacenter() {
        return url.option("datacenter", "datacenter1");
    }

    private CqlSession session() {
        CqlSessionBuilder builder = CqlSession.builder()
                .withLocalDatacenter(datacenter())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        // Longer than the servers wait for each other, so that they report what happened to a call.
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(5))
                        // In version 5, the driver loses its connection to some timeouts that it cannot read.
                        .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                        .build());
        for (String host : url.hosts()) {
            String[] parts = (host + ":9042").split(":");
            builder.addContactPoint(new InetSocketAddress(parts[0], Integer.parseInt(parts[1])));
        }
        if (url.user() != null) {
            builder.withAuthCredentials(url.user(), url.password());
        }
        return builder.build();
    }
}
