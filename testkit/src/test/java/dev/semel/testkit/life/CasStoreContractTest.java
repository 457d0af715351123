package dev.semel.testkit.life;

import dev.semel.spi.KeyStore;
import dev.semel.spi.life.SharedClock;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.StoreContract;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentSkipListMap;

/** A store that only reads and swaps keeps the whole contract, on an engine whose machines have clocks of their own. */
class CasStoreContractTest extends StoreContract {

    private static final Duration SKEW = Duration.ofSeconds(2);

    private final SettableClock clock = SettableClock.at(Instant.parse("2001-02-03T04:05:06Z"));
    private final ConcurrentSkipListMap<dev.semel.KeyDigest, MapCasKeyStore.Row> rows = new ConcurrentSkipListMap<>();

    @Override
    protected KeyStore openStore() {
        return new MapCasKeyStore(rows, new SharedClock("the map", clock, SKEW), saysWhatItFound());
    }

    /** Whether a refused swap brings along what is there. */
    protected boolean saysWhatItFound() {
        return true;
    }

    @Override
    protected void clear() {
        rows.clear();
    }

    @Override
    protected void advance(Duration duration) {
        clock.advance(duration.plus(SKEW));
    }
}
