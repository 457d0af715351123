package dev.semel.bench.design;

import dev.semel.bench.measure.Payload;
import dev.semel.bench.server.PostgresServer;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.spi.Claim;
import java.util.concurrent.CompletionStage;

/** Semel's store: the claims and settles that the engine sends, without the engine. */
public class SemelDesign extends Design implements ContendedDesign {

    final JdbcKeyStore store;
    private final StoreCycle cycle;

    public SemelDesign(PostgresServer server, int connections, String table) {
        this("semel", server, connections, table);
    }

    SemelDesign(String name, PostgresServer server, int connections, String table) {
        super(name, server, connections, table);
        this.store = JdbcKeyStore.builder(pool).table(table).createIfMissing().build();
        this.cycle = new StoreCycle(store);
    }

    /** What {@link #cycle} does, without occupying a thread while it waits. */
    public CompletionStage<?> cycleAsync(String key) {
        return cycle.run(key);
    }

    @Override
    public void cycle(String key) {
        cycleAsync(key).toCompletableFuture().join();
    }

    @Override
    public boolean claim(String key) {
        return store.claim(StoreCycle.request(key)).toCompletableFuture().join() instanceof Claim.Acquired;
    }

    /** Asks for a key that is settled; fails unless the answer is its payload. */
    public CompletionStage<?> replayAsync(String key) {
        return store.claim(StoreCycle.request(key)).thenAccept(claim -> {
            if (!(claim instanceof Claim.Settled settled) || !settled.outcome().equals(StoreCycle.outcome(key))) {
                throw new IllegalStateException("key " + key + " has another outcome: " + claim);
            }
        });
    }

    @Override
    String settled() {
        return "state = 2 AND body = convert_to(" + Payload.sql("key") + ", 'UTF8')";
    }

    @Override
    public long bytes() {
        return tableBytes();
    }

    @Override
    public void close() {
        store.close();
        super.close();
    }
}
