package dev.semel.testkit.failures;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;

class InMemoryFailuresTest extends EngineFailureContract {

    private final SettableClock clock = SettableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(clock).build();

    @Override
    protected KeyStore store() {
        return store;
    }

    @Override
    protected void advance(Duration duration) {
        clock.advance(duration);
    }
}
