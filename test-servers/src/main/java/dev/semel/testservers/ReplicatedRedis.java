package dev.semel.testservers;

import java.util.List;

/** Servers of which one takes over when another dies. */
public interface ReplicatedRedis extends AutoCloseable {

    String url();

    /** How many replicas a master has. Only what all of them have confirmed survives a failover to any of them. */
    int replicas();

    RedisProcess someMaster();

    /** All servers, also those that watch the others. */
    List<RedisProcess> processes();

    /** Whether there are as many masters as there should be, whatever their number of replicas. */
    boolean hasMasters();

    /** Whether in addition every other server is a replica in step with its master. */
    boolean isHealthy();

    @Override
    void close();
}
