package dev.semel.torture;

import dev.semel.testservers.EtcdCluster;
import dev.semel.testservers.GaleraCluster;
import dev.semel.testservers.PatroniCluster;
import dev.semel.testservers.PgBouncer;
import dev.semel.testservers.TestMySql;
import dev.semel.testservers.cassandra.CassandraCluster;
import dev.semel.torture.plan.StoreKind;
import java.util.Optional;

/** Which stores cannot be tortured on this machine, and what they need. */
final class MissingServer {

    private MissingServer() {}

    /** What has to be installed first; empty if the servers of the store can be started. */
    static Optional<String> of(StoreKind store) {
        return switch (store) {
            case PGBOUNCER -> unless(PgBouncer.isInstalled(), PgBouncer.MISSING);
            case PATRONI -> PatroniCluster.missing();
            case MYSQL -> unless(TestMySql.isAvailable(), TestMySql.MISSING);
            case GALERA -> GaleraCluster.missing();
            case CASSANDRA -> unless(CassandraCluster.isPossible(), "there is no Java 17, which Cassandra needs");
            case ETCD -> unless(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
            case POSTGRES, POSTGRES_GENERATIONS, MARIADB, SQLITE, REDIS, REDIS_SENTINEL, REDIS_CLUSTER, DYNAMODB ->
                Optional.empty();
        };
    }

    private static Optional<String> unless(boolean there, String missing) {
        return there ? Optional.empty() : Optional.of(missing);
    }
}
