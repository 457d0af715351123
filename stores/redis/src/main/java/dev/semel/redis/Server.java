package dev.semel.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The Redis servers behind a URL, over one connection to each that is shared by all callers. */
interface Server extends AutoCloseable {

    /** Commands that find the right server by their key. */
    RedisClusterAsyncCommands<byte[], byte[]> commands();

    /** Commands of the server that is the master of this slot now, all over one connection. */
    CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> masterOf(int slot);

    /** Commands of each master. */
    CompletionStage<List<RedisClusterAsyncCommands<byte[], byte[]>>> masters();

    @Override
    void close();
}
