package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import dev.semel.spi.life.EngineTime;
import dev.semel.spi.life.SharedClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prepares a cluster for keys, within a time limit. */
final class CassandraSchema {

    private static final Logger LOG = LoggerFactory.getLogger(CassandraSchema.class);

    private CassandraSchema() {}

    static SharedClock clock(CqlSession session, Duration maxSkew) {
        EngineTime time = new EngineTime(() -> now(session), Duration.ofMillis(1));
        return new SharedClock("Cassandra", InstantSource.system(), maxSkew, time);
    }

    static CompletionStage<Instant> now(CqlSession session) {
        return session.executeAsync("SELECT toTimestamp(now()) FROM system.local")
                .thenApply(result -> Objects.requireNonNull(result.one()).getInstant(0));
    }

    static void create(CqlSession session, String name, String datacenter, int replicas) {
        String keyspace = CqlIdentifier.fromInternal(name).asCql(true);
        session.execute(change("CREATE KEYSPACE IF NOT EXISTS " + keyspace
                + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + datacenter + "': " + replicas
                + "}"));
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
