package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import dev.semel.spi.life.EngineTime;
import dev.semel.spi.life.SharedClock;
import dev.semel.spi.life.StoreUrl;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A URL such as {@code cassandra://host:9042,host:9042/keyspace}, with the parameters {@code datacenter} (the one to connect to,
 * {@code datacenter1} by default), {@code serial} ({@code SERIAL} or {@code LOCAL_SERIAL}), {@code createIfMissing=true}, {@code replicas}
 * (3 by default, for a keyspace that is created) and {@code maxClockSkew} in milliseconds.
 */
record CassandraUrl(StoreUrl url) {

    private static final Logger LOG = LoggerFactory.getLogger(CassandraUrl.class);
    private static final String FORM = "cassandra://host:9042,host:9042/keyspace?datacenter=datacenter1";
    private static final List<String> KNOWN =
            List.of("datacenter", "serial", "createIfMissing", "replicas", "maxClockSkew");

    static CassandraKeyStore connect(String text) {
        CassandraUrl url = new CassandraUrl(StoreUrl.parse(text, FORM, KNOWN));
        ConsistencyLevel serial = DefaultConsistencyLevel.valueOf(url.url.option("serial", "SERIAL"));
        CqlSession session = url.session();
        try {
            EngineTime time = new EngineTime(() -> now(session), Duration.ofMillis(1));
            SharedClock clock = new SharedClock("Cassandra", InstantSource.system(), url.url.maxClockSkew(), time);
            if (Boolean.parseBoolean(url.url.option("createIfMissing", "false"))) {
                url.create(session);
            }
            return new CassandraKeyStore(session, url.url.path(), serial, clock, session::close);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    static CompletionStage<Instant> now(CqlSession session) {
        return session.executeAsync("SELECT toTimestamp(now()) FROM system.local")
                .thenApply(result -> Objects.requireNonNull(result.one()).getInstant(0));
    }

    private CqlSession session() {
        CqlSessionBuilder builder = CqlSession.builder()
                .withLocalDatacenter(url.option("datacenter", "datacenter1"))
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

    private void create(CqlSession session) {
        String keyspace = CqlIdentifier.fromInternal(url.path()).asCql(true);
        session.execute(change("CREATE KEYSPACE IF NOT EXISTS " + keyspace
                + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + url.option("datacenter", "datacenter1")
                + "': " + Integer.parseInt(url.option("replicas", "3")) + "}"));
        session.execute(change("CREATE TABLE IF NOT EXISTS " + keyspace
                + ".keys (digest uuid PRIMARY KEY, version bigint, cell blob, open boolean)"));
        try {
            session.execute(change("CREATE INDEX IF NOT EXISTS keys_open ON " + keyspace + ".keys (open) USING 'sai'"));
        } catch (QueryValidationException e) {
            LOG.warn("there is no index of open keys, so looking for them reads the whole table: {}", e.getMessage());
        }
    }

    /** All servers have to agree on a change of the schema, which takes longer than a call. */
    private static SimpleStatement change(String schema) {
        return SimpleStatement.newInstance(schema).setTimeout(Duration.ofMinutes(1));
    }
}
