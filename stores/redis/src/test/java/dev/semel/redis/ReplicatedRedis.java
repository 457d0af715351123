package dev.semel.redis;

/** Servers of which one takes over when another dies. */
interface ReplicatedRedis extends AutoCloseable {

    String url();

    /** How many replicas a master has. Only what all of them have confirmed survives whichever of them takes over. */
    int replicas();

    RedisProcess someMaster();

    /** Whether there are as many masters as there should be, whatever their number of replicas. */
    boolean hasMasters();

    /** Whether in addition every other server is a replica in step with its master. */
    boolean isHealthy();

    @Override
    void close();
}
