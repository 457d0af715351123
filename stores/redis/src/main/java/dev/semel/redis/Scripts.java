package dev.semel.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
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
    private final Names names;
    private final @Nullable Replication replication;
    private final Map<Call.Kind, List<Lane<Supplier<CompletionStage<Reply>>>>> lanes = new EnumMap<>(Call.Kind.class);
    private volatile boolean functions;

    private Scripts(Server server, Lanes lanes, Names names, @Nullable Replication replication, boolean functions) {
        this.server = server;
        this.names = names;
        this.replication = replication;
        this.functions = functions;
        for (Call.Kind kind : Call.Kind.values()) {
            this.lanes.put(
                    kind,
                    IntStream.range(0, lanes.count())
                            .mapToObj(lane -> open(kind, lanes, lane))
                            .toList());
        }
    }

    private Lane<Supplier<CompletionStage<Reply>>> open(Call.Kind kind, Lanes lanes, int bucket) {
        LaneLimits limits = kind == Call.Kind.RENEWAL ? lanes.singles().withoutLimitOfWaiting() : lanes.singles();
        return lanes.open(kind.name().toLowerCase(Locale.ROOT), limits, new Lane.Transport<>() {
            @Override
            public CompletionStage<List<Reply>> send(List<Supplier<CompletionStage<Reply>>> calls) {
                return calls.get(0).get().thenApply(List::of);
            }

            @Override
            public boolean isConnected() {
                return server.isConnected(bucket);
            }

            @Override
            public void replaceConnection(BooleanSupplier silent) {
                Scripts.this.replaceConnection(bucket, silent);
            }

            @Override
            public CompletionStage<?> probe() {
                return Scripts.this.probe(bucket);
            }
        });
    }

    /** Finds out whether the servers take functions, and loads the library if they do. */
    static CompletionStage<Scripts> open(
            Server server, Lanes lanes, Names names, @Nullable Replication replication, boolean tryFunctions) {
        Scripts scripts = new Scripts(server, lanes, names, replication, tryFunctions);
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
        byte[][] values = args.toArray();
        return enqueue(
                call,
                bucket,
                values,
                () -> send(server.commands(bucket), call, keys, values).thenApply(Reply::new));
    }

    /** Runs a function, and waits until as many replicas as are wanted have its effect. */
    CompletionStage<Reply> write(Call call, int bucket, byte[][] keys, Args args) {
        byte[][] values = args.toArray();
        return enqueue(
                call, bucket, values, () -> send(call, bucket, keys, values).thenApply(Reply::new));
    }

    private CompletionStage<Reply> enqueue(
            Call call, int bucket, byte[][] args, Supplier<CompletionStage<Reply>> command) {
        List<Lane<Supplier<CompletionStage<Reply>>>> ofKind = lanes.getOrDefault(call.kind(), List.of());
        int bytes = 0;
        for (byte[] arg : args) {
            bytes += arg.length;
        }
        return ofKind.get(bucket % ofKind.size()).add(command, bytes, false);
    }

    /** Sends a function at once, and waits until as many replicas as are wanted have its effect. */
    CompletionStage<List<Object>> send(Call call, int bucket, byte[][] keys, byte[][] args) {
        Replication wanted = replication;
        if (wanted == null) {
            return send(server.commands(bucket), call, keys, args);
        }
        return server.masterOf(bucket)
                .thenCompose(master -> wanted.confirm(master, () -> send(master.async(), call, keys, args)));
    }

    boolean isConnected(int bucket) {
        return server.isConnected(bucket);
    }

    void replaceConnection(int bucket, BooleanSupplier silent) {
        server.replaceConnection(bucket, silent);
    }

    /** Completes when the server of this bucket has answered, over the connection that calls for it use. */
    CompletionStage<?> probe(int bucket) {
        byte[] key = names.marker(bucket);
        return replication == null
                ? server.commands(bucket).exists(key)
                : server.masterOf(bucket).thenCompose(master -> master.async().exists(key));
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
