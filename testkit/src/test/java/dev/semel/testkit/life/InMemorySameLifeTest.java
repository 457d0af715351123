package dev.semel.testkit.life;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;

/** The comparison on a store that is known to decide as the state machine does, because it asks it. */
class InMemorySameLifeTest extends SameLife {

    private final SettableClock clock = SettableClock.at(Instant.EPOCH);
    private final KeyStore store = InMemoryKeyStore.builder().clock(clock).build();

    @Override
    protected KeyStore store() {
        return store;
    }

    @Override
    protected void age(String scope, Duration duration) {
        clock.advance(duration);
    }
}
