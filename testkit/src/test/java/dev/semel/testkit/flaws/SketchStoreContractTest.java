package dev.semel.testkit.flaws;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.StoreContract;
import java.time.Duration;
import java.time.Instant;

/** Without a flaw, the sketch passes: what the contract says of a flawed one is due to its flaw. */
class SketchStoreContractTest extends StoreContract {

    private final SettableClock clock = SettableClock.at(Instant.parse("2040-01-01T00:00:00Z"));
    private KeyStore store = new SketchStore(clock, flaw());

    Flaw flaw() {
        return null;
    }

    @Override
    protected KeyStore openStore() {
        return store;
    }

    @Override
    protected void clear() {
        store = new SketchStore(clock, flaw());
    }

    @Override
    protected void advance(Duration duration) {
        clock.advance(duration);
    }
}
