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
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A person who resolves unknown keys, and is right: what the ledger has an effect of has succeeded. What it has none of is
 * closed there first, so that it cannot happen any more, and then released.
 */
public record Operator(Database database, Ledger ledger, OperatorDoors doors) implements InjectedFault {

    private static final int AT_ONCE = 5;

    /** Every so many decisions on keys that only people decide on, one goes through a door, which takes a second. */
    private static final int DOORS = 3;

    private static final long PATIENCE_SECONDS = 5;

    @Override
    public String inject(Random random) throws Exception {
        Set<String> ways = new TreeSet<>();
        try {
            database.inspect(keys -> resolveSome(keys, random, ways));
        } catch (SemelException | ExecutionException | TimeoutException e) {
            // The store is down, as it is meant to be from time to time: a person tries again later.
            return "";
        }
        ways.remove("");
        return ways.isEmpty() ? "" : "resolves keys " + String.join(" and ", ways);
    }

    private void resolveSome(Inspecting keys, Random random, Set<String> ways) throws Exception {
        for (KeyRecord record : KeyPages.read(keys, KeyQuery.inState(KeyState.UNKNOWN, AT_ONCE), AT_ONCE)) {
            ways.add(resolve(keys, random, record));
        }
    }

    private String resolve(Inspecting keys, Random random, KeyRecord record) throws Exception {
        Operation operation = Operation.ofPolicy(record.operation());
        Key key = ledger.keys().asSent(record.key());
        Optional<byte[]> done = ledger.close(key);
        Outcome outcome = done.map(payload ->
                        Outcome.succeeded().status(200).payload(payload).build())
                .orElse(null);
        ledger.decided(operation, key, outcome);
        if (operation == Operation.HOLD && random.nextInt(DOORS) == 0) {
            return doors.decide(random, record, outcome);
        }
        Resolution resolution = outcome == null ? new Resolution.Release() : new Resolution.Settle(outcome);
        boolean resolved =
                wait(keys.resolve(record.key().digest(), record.token(), resolution, "looked it up in the ledger"));
        return resolved ? "with the store's own call" : "";
    }

    private static <T> T wait(java.util.concurrent.CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
