package dev.semel.cassandra;

import dev.semel.testkit.crash.CrashingNode;

/** A process with a store in Cassandra that a test kills. */
final class CassandraNode {

    private CassandraNode() {}

    public static void main(String[] args) throws InterruptedException {
        CrashingNode.run(CassandraKeyStore.connect(args[0]));
    }
}
