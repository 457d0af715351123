package dev.semel.bench.engine;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Policy;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the engine itself costs: a call on the in-memory store, with an operation that does nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EngineBenchmark {

    private static final Fingerprint BODY = Fingerprint.of("body");
    private static final Policy POLICY = Policy.external("charge").build();
    private static final Key SETTLED = Key.of("tenant", "settled");

    private Semel semel = engine();
    private long next;

    private static Semel engine() {
        return Semel.builder(
                        InMemoryKeyStore.builder().maxKeys(Integer.MAX_VALUE).build())
                .executor(Runnable::run)
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    /** A fresh store for each iteration: it keeps every key. */
    @Setup(Level.Iteration)
    public void start() {
        semel.close();
        semel = engine();
        semel.execute(call(SETTLED), attempt -> "done");
    }

    @TearDown(Level.Trial)
    public void stop() {
        semel.close();
    }

    /** A new key: claim, run, settle. */
    @Benchmark
    public Execution<String> execute() {
        return semel.execute(call(Key.of("tenant", "key-" + next++)), attempt -> "done");
    }

    /** The same, asynchronously. */
    @Benchmark
    public CompletionStage<Execution<String>> executeAsync() {
        return semel.executeAsync(
                call(Key.of("tenant", "key-" + next++)), attempt -> CompletableFuture.completedStage("done"));
    }

    /** A settled key: claim, and the stored outcome. */
    @Benchmark
    public Execution<String> replay() {
        return semel.execute(call(SETTLED), attempt -> "never");
    }

    private static Call<String> call(Key key) {
        return Call.of(key, BODY, POLICY, OutcomeCodec.text());
    }
}
