package dev.semel.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * The Redis servers behind a URL, over a few connections to each that all callers share.
 *
 * <p>Redis takes at most 16 KB at a time from a connection before it writes to the disk. Over a few connections, one
 * write to the disk does for more calls. All calls for a bucket go over the same one.
 */
interface Server extends AutoCloseable {

    int CONNECTIONS = 4;

    /** How many lanes there are: calls for buckets of the same lane may travel in one command. */
    int lanes();

    /** Whether there is a connection for this bucket now, as far as that is known. */
    boolean isConnected(int bucket);

    /**
     * Opens another connection for this bucket in place of one that gives no answers.
     *
     * @param silent whether it still gives none, once there is another one
     */
    void replaceConnection(int bucket, BooleanSupplier silent);

    /** Commands on keys of this bucket, which find the right server by their key. */
    RedisClusterAsyncCommands<byte[], byte[]> commands(int bucket);

    /** The connection to the server that is the master of this bucket now. */
    CompletionStage<StatefulRedisConnection<byte[], byte[]>> masterOf(int bucket);

    /** Commands of each master. */
    CompletionStage<List<RedisClusterAsyncCommands<byte[], byte[]>>> masters();

    @Override
    void close();
}
