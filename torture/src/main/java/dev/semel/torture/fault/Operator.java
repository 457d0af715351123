package dev.semel.torture.fault;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Resolution;
import dev.semel.torture.database.Database;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A person who resolves unknown keys, and is right: what the ledger has an effect of has succeeded. What it has none of is
 * closed there first, so that it cannot happen any more, and then released.
 */
public record Operator(Database database, Ledger ledger) implements InjectedFault {

    private static final int AT_ONCE = 5;
    private static final long PATIENCE_SECONDS = 5;

    @Override
    public String inject(Random random) throws Exception {
        AtomicInteger resolved = new AtomicInteger();
        database.inspect(keys -> {
            for (KeyRecord record :
                    wait(keys.page(KeyQuery.inState(KeyState.UNKNOWN, AT_ONCE))).records()) {
                resolved.addAndGet(resolve(keys, record) ? 1 : 0);
            }
        });
        return resolved.get() == 0 ? "" : "resolves keys";
    }

    private boolean resolve(Inspecting keys, KeyRecord record) throws Exception {
        Operation operation = Operation.valueOf(record.operation().toUpperCase(Locale.ROOT));
        Key key = record.key();
        Optional<byte[]> done = ledger.close(operation, key);
        Outcome outcome = done.map(payload ->
                        Outcome.succeeded().status(200).payload(payload).build())
                .orElse(null);
        ledger.decided(operation, key, outcome);
        Resolution resolution = outcome == null ? new Resolution.Release() : new Resolution.Settle(outcome);
        return wait(keys.resolve(record.key().digest(), record.token(), resolution, "looked it up in the ledger"));
    }

    private static <T> T wait(java.util.concurrent.CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
