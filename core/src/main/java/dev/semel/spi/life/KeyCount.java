package dev.semel.spi.life;

import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts keys one by one, for the statistics of a store that has no cheaper way. */
public final class KeyCount {

    private final Moment moment;
    private final Map<KeyState, Long> keys = new EnumMap<>(KeyState.class);
    private final List<Duration> ages = new ArrayList<>();
    private Duration purgeLag = Duration.ZERO;

    public KeyCount(Moment moment) {
        this.moment = moment;
    }

    public void add(StoredKey key) {
        keys.merge(key.state(moment), 1L, Long::sum);
        if (key.isPending()) {
            ages.add(moment.since(key.claimedAt()));
        }
        StoredKey.Settlement settlement = key.settlement();
        if (settlement != null) {
            Duration lag = moment.since(settlement.removableAt());
            purgeLag = lag.compareTo(purgeLag) > 0 ? lag : purgeLag;
        }
    }

    public StoreStatistics statistics(boolean exact, long bytes) {
        return new StoreStatistics(moment.now(), keys, exact, PendingAge.of(ages), bytes, -1, purgeLag);
    }
}
