package dev.semel.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.testservers.EtcdCluster;
import io.etcd.jetcd.Client;

/** The cluster that the test classes of this module share, and a client of it; they skip where etcd is not installed. */
final class TestEtcd {

    private TestEtcd() {}

    static EtcdCluster start() {
        assumeTrue(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        return EtcdCluster.start();
    }

    static EtcdCluster shared() {
        assumeTrue(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        return Shared.CLUSTER;
    }

    static Client client() {
        shared();
        return SharedClient.CLIENT;
    }

    private static final class Shared {
        static final EtcdCluster CLUSTER = EtcdCluster.start();
    }

    private static final class SharedClient {
        static final Client CLIENT =
                Client.builder().endpoints(Shared.CLUSTER.endpoints()).build();
    }
}
