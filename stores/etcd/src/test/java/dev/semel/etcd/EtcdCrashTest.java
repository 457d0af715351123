package dev.semel.etcd;

import dev.semel.testkit.crash.CrashLoad;
import dev.semel.testkit.crash.CrashingNode;
import dev.semel.testservers.EtcdCluster;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Servers and nodes that are killed under load lose nothing that was acknowledged (G4, G7), and nothing runs twice (G1). */
class EtcdCrashTest {

    private static final int SETTLES = 200;

    @Test
    void aKilledServerCostsNothing() throws Exception {
        try (EtcdCluster cluster = TestEtcd.start();
                EtcdKeyStore store = EtcdKeyStore.connect(cluster.storeUrl("crash"));
                CrashLoad load = CrashLoad.start(store)) {
            // Whichever leads, it is among those that are killed.
            for (int node = 0; node < 3; node++) {
                load.awaitSettles(SETTLES);
                cluster.kill(node);
                load.awaitSettles(SETTLES);
                cluster.restart(node);
            }
            load.awaitSettles(SETTLES);
            load.verify();
        }
    }

    @Test
    void aKilledNodeLosesNoAcknowledgedOutcome() throws Exception {
        String url = TestEtcd.shared().storeUrl("node-" + UUID.randomUUID());
        try (EtcdKeyStore store = EtcdKeyStore.connect(url)) {
            CrashingNode.killAndVerify(store, SETTLES, EtcdNode.class, url);
        }
    }
}
