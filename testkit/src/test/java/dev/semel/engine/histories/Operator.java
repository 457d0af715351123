package dev.semel.engine.histories;

import dev.semel.Outcome;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Resolution;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** An operator who asks the bank, and then resolves lapsed and unknown keys correctly. */
final class Operator {

    private final World world;
    private final Random random;

    Operator(World world, Random random) {
        this.world = world;
        this.random = random;
    }

    /** Decides about each key with this chance, in percent. */
    void decide(int chance) {
        for (KeyRecord record : undecided()) {
            Request wanted = world.wanted(record.key());
            if (random.nextInt(100) < chance
                    && wanted.kind != Release.Kind.REDO
                    && wanted.kind != Release.Kind.ORDER
                    && !world.isHeld(wanted.key)
                    && !world.isUndecided(wanted.key)) {
                decide(record, wanted);
            }
        }
    }

    private List<KeyRecord> undecided() {
        return Stream.of(KeyState.LAPSED, KeyState.UNKNOWN)
                .flatMap(state ->
                        world
                                .memory
                                .page(KeyQuery.inState(state, 1000))
                                .toCompletableFuture()
                                .join()
                                .records()
                                .stream())
                .toList();
    }

    private void decide(KeyRecord record, Request wanted) {
        Outcome done = world.done.get(wanted.key);
        Outcome outcome = done == null && random.nextInt(4) == 0 ? Request.receipt("declined by the operator") : done;
        Resolution resolution = outcome == null ? new Resolution.Release() : new Resolution.Settle(outcome);
        boolean decided = ((Inspecting) world.store.store())
                .resolve(record.key().digest(), record.token(), resolution, "the bank says so")
                .toCompletableFuture()
                .join();
        if (decided) {
            world.history.decided(wanted.key, outcome);
        }
    }
}
