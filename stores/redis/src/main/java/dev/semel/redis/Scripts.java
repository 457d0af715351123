package dev.semel.redis;

import static dev.semel.util.Failures.unwrap;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the library inside Redis: as a function, or as a script where there are no functions (before Redis 7, or where the user
 * may not load them). A server that does not know the library, because it is new or was emptied, is given it.
 *
 * @param replicas how many replicas confirm a write
 * @param timeout how long the confirmation may take
 * @param functions whether the servers take functions
 */
record Scripts(Server server, Names names, int replicas, Duration timeout, AtomicBoolean functions) {

    private static final Logger log = LoggerFactory.getLogger(Scripts.class);
    private static final String LIBRARY = resource("marker.lua") + resource("keys.lua");
    private static final byte[] SCRIPT = utf8(LIBRARY + "return run(KEYS, ARGV)\n");
    private static final String SCRIPT_DIGEST = Base16.digest(SCRIPT);
    // Contains a digest of the source, so that two releases of Semel can run side by side.
    private static final String FUNCTION = "semel_" + SCRIPT_DIGEST.substring(0, 8);
    private static final String SOURCE =
            "#!lua name=" + FUNCTION + "\n" + LIBRARY + "redis.register_function('" + FUNCTION + "', run)\n";

    /** Loads the library, and completes with whether the servers take functions. */
    CompletionStage<Boolean> loadLibrary() {
        return load().handle((done, failure) -> {
            functions.set(failure == null);
            if (failure != null) {
                Throwable cause = unwrap(failure);
                log.info("Redis takes no functions, so scripts are used: {}", cause.getMessage());
            }
            return functions.get();
        });
    }

    /** Makes a call for a whole bucket, whose effect need not survive a crash of the server. */
    CompletionStage<List<Object>> run(String call, int bucket, Object... args) {
        byte[][] texts = Stream.of(args).map(arg -> utf8(arg.toString())).toArray(byte[][]::new);
        return send(server.commands(bucket), new byte[][] {names.marker(bucket)}, named(call, texts));
    }

    /** Makes calls on keys; if they are to be confirmed, waits until as many replicas as are wanted have their effect. */
    CompletionStage<List<Object>> batch(int bucket, byte[][] keys, byte[][] args, boolean confirmed) {
        byte[][] named = named("batch", args);
        return confirmed && replicas > 0
                ? server.masterOf(bucket)
                        .thenCompose(master ->
                                server.confirmed(master, replicas, timeout, () -> send(master.async(), keys, named)))
                : send(server.commands(bucket), keys, named);
    }

    private static byte[][] named(String call, byte[][] args) {
        byte[][] named = Arrays.copyOf(args, args.length + 1);
        named[args.length] = utf8(call);
        return named;
    }

    /** Completes when the server of this bucket has answered, over the connection that batches for it use. */
    CompletionStage<Long> probe(int bucket) {
        byte[] key = names.marker(bucket);
        return replicas > 0
                ? server.masterOf(bucket).thenCompose(master -> master.async().exists(key))
                : server.commands(bucket).exists(key);
    }

    private CompletionStage<List<Object>> send(
            RedisClusterAsyncCommands<byte[], byte[]> commands, byte[][] keys, byte[][] args) {
        boolean function = functions.get();
        CompletionStage<List<Object>> answer = function
                ? commands.fcall(FUNCTION, ScriptOutputType.MULTI, keys, args)
                : commands.evalsha(SCRIPT_DIGEST, ScriptOutputType.MULTI, keys, args);
        return answer.exceptionallyCompose(failure -> {
            if (function && Failures.isError(failure, "Function not found")) {
                return load().thenCompose(loaded -> commands.fcall(FUNCTION, ScriptOutputType.MULTI, keys, args));
            }
            return !function && Failures.isError(failure, "NOSCRIPT")
                    ? commands.eval(SCRIPT, ScriptOutputType.MULTI, keys, args)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    private CompletionStage<Void> load() {
        return server.masters()
                .thenCompose(masters -> Stages.all(masters.stream()
                        .map(master -> master.functionLoad(SOURCE)
                                .exceptionallyCompose(failure -> Failures.isError(failure, "already exists")
                                        ? CompletableFuture.completedFuture("")
                                        : CompletableFuture.failedFuture(failure)))
                        .toList()))
                .thenAccept(loaded -> {});
    }

    private static String resource(String name) {
        try (InputStream in = Scripts.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + name, e);
        }
    }

    /** Text in an answer. */
    static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
