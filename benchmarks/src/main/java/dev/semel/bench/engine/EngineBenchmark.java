package dev.semel.bench.engine;

import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
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
    private static final ExternalPolicy POLICY = Policy.external("charge").build();
    private static final Key SETTLED = Key.of("tenant", "settled");

    private Semel semel = engine();
    private ExternalOperation<String> charge = semel.operation(POLICY, OutcomeCodec.text());
    private long next;

    static Semel engine() {
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
        charge = semel.operation(POLICY, OutcomeCodec.text());
        charge.run(SETTLED, BODY, attempt -> "done");
    }

    @TearDown(Level.Trial)
    public void stop() {
        semel.close();
    }

    /** A new key: claim, run, settle. */
    @Benchmark
    public Execution<String> execute() {
        return charge.run(Key.of("tenant", "key-" + next++), BODY, attempt -> "done");
    }

    /** The same, asynchronously. */
    @Benchmark
    public CompletionStage<Execution<String>> executeAsync() {
        return charge.runAsync(
                Key.of("tenant", "key-" + next++), BODY, attempt -> CompletableFuture.completedStage("done"));
    }

    /** A settled key: claim, and the stored outcome. */
    @Benchmark
    public Execution<String> replay() {
        return charge.run(SETTLED, BODY, attempt -> "never");
    }
}
