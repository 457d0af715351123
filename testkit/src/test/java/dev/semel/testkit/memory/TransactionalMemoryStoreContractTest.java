package dev.semel.testkit.memory;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.StoreContract;
import java.time.Duration;
import java.time.Instant;

class TransactionalMemoryStoreContractTest extends StoreContract {

    private final SettableClock clock = SettableClock.at(Instant.parse("2001-02-03T04:05:06Z"));
    private KeyStore store = TransactionalMemoryStore.withClock(clock);

    @Override
    protected KeyStore openStore() {
        return store;
    }

    @Override
    protected void clear() {
        store = TransactionalMemoryStore.withClock(clock);
    }

    @Override
    protected void advance(Duration duration) {
        clock.advance(duration);
    }
}
