package dev.semel.etcd;

import dev.semel.testkit.crash.CrashingNode;

/** A process with a store in etcd that a test kills. */
final class EtcdNode {

    private EtcdNode() {}

    public static void main(String[] args) throws InterruptedException {
        CrashingNode.run(EtcdKeyStore.connect(args[0]));
    }
}
