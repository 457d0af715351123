package dev.semel.torture.fault;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.SemelException;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Resolution;
import dev.semel.torture.database.Database;
import dev.semel.torture.database.KeyPages;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
        try {
            database.inspect(keys -> resolveSome(keys, resolved));
        } catch (SemelException | ExecutionException | TimeoutException e) {
            // The store is down, as it is meant to be from time to time: a person tries again later.
            return "";
        }
        return resolved.get() == 0 ? "" : "resolves keys";
    }

    private void resolveSome(Inspecting keys, AtomicInteger resolved) throws Exception {
        for (KeyRecord record : KeyPages.read(keys, KeyQuery.inState(KeyState.UNKNOWN, AT_ONCE), AT_ONCE)) {
            resolved.addAndGet(resolve(keys, record) ? 1 : 0);
        }
    }

    private boolean resolve(Inspecting keys, KeyRecord record) throws Exception {
        Operation operation = Operation.ofPolicy(record.operation());
        Key key = ServiceRequest.asSent(record.key());
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
