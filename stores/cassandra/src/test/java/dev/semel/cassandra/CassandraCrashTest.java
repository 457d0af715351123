package dev.semel.cassandra;

import dev.semel.testkit.crash.CrashLoad;
import dev.semel.testkit.crash.CrashingNode;
import dev.semel.testservers.cassandra.CassandraCluster;
import org.junit.jupiter.api.Test;

/** Servers and nodes that are killed under load lose nothing that was acknowledged (G4, G7), and nothing runs twice (G1). */
class CassandraCrashTest {

    private static final int SETTLES = 100;

    @Test
    void aKilledServerCostsNothing() throws Exception {
        CassandraCluster cluster = TestCassandra.cluster();
        try (CassandraKeyStore store = CassandraKeyStore.connect(cluster.storeUrl("crash"));
                CrashLoad load = CrashLoad.start(store)) {
            load.awaitSettles(SETTLES);
            cluster.kill(1);
            try {
                load.awaitSettles(SETTLES);
            } finally {
                cluster.restart(1);
            }
            load.awaitSettles(SETTLES);
            load.verify();
        }
    }

    @Test
    void aKilledNodeLosesNoAcknowledgedOutcome() throws Exception {
        String url = TestCassandra.cluster().storeUrl("node");
        try (CassandraKeyStore store = CassandraKeyStore.connect(url)) {
            CrashingNode.killAndVerify(store, SETTLES, CassandraNode.class, url);
        }
    }
}
