package dev.semel.torture.database;

import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import java.nio.file.Path;

/** Starts what a plan keeps its keys in. */
public final class Databases {

    private Databases() {}

    /** @param directory where it may keep files */
    public static Database start(TorturePlan plan, Path directory) throws Exception {
        return switch (plan.store()) {
            case POSTGRES, POSTGRES_GENERATIONS ->
                PostgresCluster.start(
                        directory,
                        plan.faults().contains(FaultKind.FAILOVER)
                                || plan.faults().contains(FaultKind.STANDBY));
            case PGBOUNCER -> PostgresCluster.startBehindPooler(directory);
            case PATRONI -> PatroniDatabase.start();
            case GALERA -> GaleraDatabase.start();
            case MARIADB -> MariaDbServer.startMariaDb();
            case MYSQL -> MariaDbServer.startMySql();
            case SQLITE -> new SqliteFile(directory.resolve("keys.db"));
            case REDIS -> SingleRedis.start();
            case REDIS_SENTINEL -> ReplicatedRedisServers.startSentinel();
            case REDIS_CLUSTER -> ReplicatedRedisServers.startCluster();
            case DYNAMODB -> DynamoDbDatabase.start();
            case CASSANDRA -> CassandraDatabase.start();
            case ETCD -> EtcdDatabase.start();
        };
    }
}
