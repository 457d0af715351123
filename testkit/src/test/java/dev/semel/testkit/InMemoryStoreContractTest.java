package dev.semel.testkit;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyStore;
import java.time.Duration;
import java.time.Instant;

/** The store's clock is years behind the machine's: so only the store's clock can decide. */
class InMemoryStoreContractTest extends StoreContract {

    private final SettableClock clock = SettableClock.at(Instant.parse("2001-02-03T04:05:06Z"));
    private KeyStore store = newStore();

    private KeyStore newStore() {
        return InMemoryKeyStore.builder().clock(clock).build();
    }

    @Override
    protected KeyStore openStore() {
        return store;
    }

    @Override
    protected void clear() {
        store = newStore();
    }

    @Override
    protected void advance(Duration duration) {
        clock.advance(duration);
    }
}
