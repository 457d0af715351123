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

    private static final List<KeyState> SETTLED = List.of(KeyState.SUCCEEDED, KeyState.FAILED, KeyState.EXPIRED);

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

    /** Adds settled keys as they are divided in a sample, so that there are as many keys as the store has cells. */
    void addSettled(KeyCount sample, long cells) {
        long open = keys.values().stream().mapToLong(n -> n).sum();
        long sampled = SETTLED.stream()
                .mapToLong(state -> sample.keys.getOrDefault(state, 0L))
                .sum();
        double scale = sampled == 0 ? 0 : Math.max(1, (double) (cells - open) / sampled);
        for (KeyState state : SETTLED) {
            keys.put(state, Math.round(sample.keys.getOrDefault(state, 0L) * scale));
        }
        purgeLag = sample.purgeLag;
    }

    public StoreStatistics statistics(boolean exact, long bytes) {
        return StoreStatistics.builder(moment.now(), keys)
                .exact(exact)
                .pendingAge(PendingAge.of(ages))
                .bytes(bytes)
                .purgeLag(purgeLag)
                .build();
    }
}
