package dev.semel.bench.stores;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.cassandra.CassandraKeyStore;
import dev.semel.testservers.cassandra.CassandraCluster;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The store in Cassandra against one insert if the row is not there, and one update if it has not changed. */
final class CassandraBench {

    private CassandraBench() {}

    static void run(MeasurementPlan plan, Report report) throws Exception {
        if (!CassandraCluster.isPossible()) {
            report.text("Cassandra is not measured: there is no Java 17, which it needs");
            return;
        }
        try (CassandraCluster cluster = CassandraCluster.start("768m");
                CassandraKeyStore store = CassandraKeyStore.connect(cluster.storeUrl("semel"));
                CqlSession session = session(cluster.hosts().get(0))) {
            session.execute("CREATE TABLE semel.raw (key text PRIMARY KEY, version bigint, response text)");
            PreparedStatement insert =
                    prepare(session, "INSERT INTO semel.raw (key, version) VALUES (?, 1) IF NOT EXISTS");
            PreparedStatement update =
                    prepare(session, "UPDATE semel.raw SET version = 2, response = ? WHERE key = ? IF version = 1");
            StoreComparison comparison = new StoreComparison("cassandra", 64, plan, report);
            comparison.run(
                    "raw",
                    "insert, update, 64 in flight",
                    comparison.inFlight(key -> insertAndUpdate(session, insert, update, key)),
                    comparison.cycles(store));
        }
    }

    private static CqlSession session(String host) {
        String[] parts = host.split(":");
        return CqlSession.builder()
                .addContactPoint(new InetSocketAddress(parts[0], Integer.parseInt(parts[1])))
                .withLocalDatacenter("datacenter1")
                // As the store has them.
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(5))
                        .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                        .build())
                .build();
    }

    private static PreparedStatement prepare(CqlSession session, String cql) {
        return session.prepare(SimpleStatement.newInstance(cql)
                .setConsistencyLevel(ConsistencyLevel.QUORUM)
                .setSerialConsistencyLevel(ConsistencyLevel.SERIAL));
    }

    private static CompletionStage<?> insertAndUpdate(
            CqlSession session, PreparedStatement insert, PreparedStatement update, String key) {
        return session.executeAsync(insert.bind(key))
                .thenCompose(inserted -> session.executeAsync(update.bind(Payload.of(key), key)))
                .thenAccept(updated -> {
                    if (!updated.wasApplied()) {
                        throw new IllegalStateException("another caller has written " + key);
                    }
                });
    }
}
