package dev.semel.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the library inside Redis: as functions, or as scripts where there are no functions (before Redis 7, or where the
 * user may not load them). A server that does not know the library, because it is new or was emptied, is given it.
 */
final class Scripts {

    private static final Logger log = LoggerFactory.getLogger(Scripts.class);

    private final Server server;
    private final Library library = Library.instance();
    private final @Nullable Replication replication;
    private volatile boolean functions;

    private Scripts(Server server, @Nullable Replication replication, boolean functions) {
        this.server = server;
        this.replication = replication;
        this.functions = functions;
    }

    /** Finds out whether the servers take functions, and loads the library if they do. */
    static CompletionStage<Scripts> open(Server server, @Nullable Replication replication, boolean tryFunctions) {
        Scripts scripts = new Scripts(server, replication, tryFunctions);
        if (!tryFunctions) {
            return CompletableFuture.completedFuture(scripts);
        }
        return scripts.load().handle((done, failure) -> {
            if (failure != null) {
                log.info(
                        "Redis takes no functions, so scripts are used: {}",
                        Failures.unwrap(failure).getMessage());
                scripts.functions = false;
            }
            return scripts;
        });
    }

    /** Runs a function whose effect nobody relies on after a crash of a server. */
    CompletionStage<Reply> run(Call call, int bucket, byte[][] keys, Args args) {
        return send(server.commands(bucket), call, keys, args.toArray()).thenApply(Reply::new);
    }

    /** Runs a function, and waits until as many replicas as are wanted have its effect. */
    CompletionStage<Reply> write(Call call, int bucket, byte[][] keys, Args args) {
        return write(call, bucket, keys, args.toArray()).thenApply(Reply::new);
    }

    CompletionStage<List<Object>> write(Call call, int bucket, byte[][] keys, byte[][] args) {
        Replication wanted = replication;
        if (wanted == null) {
            return send(server.commands(bucket), call, keys, args);
        }
        return server.masterOf(bucket)
                .thenCompose(master -> wanted.confirm(master, () -> send(master.async(), call, keys, args)));
    }

    /** How many lanes of calls there are: see {@link Server#lanes()}. */
    int lanes() {
        return server.lanes();
    }

    boolean waitsForReplicas() {
        return replication != null;
    }

    private CompletionStage<List<Object>> send(
            RedisClusterAsyncCommands<byte[], byte[]> commands, Call call, byte[][] keys, byte[][] args) {
        if (functions) {
            return fcall(commands, call, keys, args)
                    .exceptionallyCompose(failure -> Failures.isError(failure, "Function not found")
                            ? load().thenCompose(loaded -> fcall(commands, call, keys, args))
                            : CompletableFuture.failedFuture(failure));
        }
        CompletionStage<List<Object>> answer =
                commands.evalsha(library.scriptDigest(call), ScriptOutputType.MULTI, keys, args);
        return answer.exceptionallyCompose(failure -> Failures.isError(failure, "NOSCRIPT")
                ? commands.eval(library.script(call), ScriptOutputType.MULTI, keys, args)
                : CompletableFuture.failedFuture(failure));
    }

    private CompletionStage<List<Object>> fcall(
            RedisClusterAsyncCommands<byte[], byte[]> commands, Call call, byte[][] keys, byte[][] args) {
        return commands.fcall(library.function(call), ScriptOutputType.MULTI, keys, args);
    }

    private CompletionStage<Void> load() {
        return server.masters()
                .thenCompose(masters ->
                        CompletableFuture.allOf(masters.stream().map(this::load).toArray(CompletableFuture[]::new)));
    }

    private CompletableFuture<String> load(RedisClusterAsyncCommands<byte[], byte[]> master) {
        return master.functionLoad(library.source())
                .exceptionallyCompose(failure -> Failures.isError(failure, "already exists")
                        ? CompletableFuture.completedFuture("")
                        : CompletableFuture.failedFuture(failure))
                .toCompletableFuture();
    }
}
