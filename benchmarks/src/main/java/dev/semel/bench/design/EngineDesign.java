package dev.semel.bench.design;

import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.bench.server.PostgresServer;
import dev.semel.policy.Policy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The whole of Semel: the engine on the store, with an operation that only makes its outcome. */
public final class EngineDesign extends SemelDesign {

    private static final Fingerprint FINGERPRINT = Fingerprint.of("the request");

    private final Semel semel;
    private final ExternalOperation<Outcome> charge;

    public EngineDesign(PostgresServer server, int connections, String table) {
        super(server, connections, table);
        this.semel = Semel.builder(store)
                .executor(Runnable::run)
                .maintenanceInterval(Duration.ZERO)
                .build();
        this.charge = semel.operation(Policy.external("charge").build());
    }

    @Override
    public CompletionStage<?> cycleAsync(String key) {
        return charge.runAsync(
                        Key.of("customer-17", key),
                        FINGERPRINT,
                        attempt -> CompletableFuture.completedStage(StoreCycle.outcome(key)))
                .thenAccept(execution -> require(isStored(execution), key, "was not executed and settled"));
    }

    @Override
    public void cycle(String key) {
        require(isStored(run(key)), key, "was not executed and settled");
    }

    private static boolean isStored(Execution<Outcome> execution) {
        return execution instanceof Execution.Executed<Outcome> executed && executed.isStored();
    }

    @Override
    public boolean claim(String key) {
        return run(key) instanceof Execution.Executed<Outcome>;
    }

    private Execution<Outcome> run(String key) {
        return charge.run(Key.of("customer-17", key), FINGERPRINT, attempt -> StoreCycle.outcome(key));
    }

    @Override
    public void close() {
        semel.close();
        super.close();
    }
}
