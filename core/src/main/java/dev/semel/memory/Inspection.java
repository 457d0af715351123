package dev.semel.memory;

import dev.semel.KeyDigest;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What people see of the entries of an in-memory store. */
final class Inspection {

    private Inspection() {}

    static KeyPage page(Collection<Entry> entries, KeyQuery query, Instant now) {
        KeyDigest after = query.cursor() == null ? null : KeyDigest.parse(query.cursor());
        List<KeyRecord> records = entries.stream()
                .filter(entry -> after == null || entry.key().digest().compareTo(after) > 0)
                .map(entry -> entry.toRecord(now))
                .filter(query::matches)
                .sorted(Comparator.comparing(found -> found.key().digest()))
                .limit(query.limit())
                .toList();
        boolean full = records.size() == query.limit();
        return new KeyPage(
                records, full ? records.get(records.size() - 1).key().digest().toString() : null);
    }

    static StoreStatistics statistics(Collection<Entry> entries, long bytes, Instant now) {
        Map<KeyState, Long> keys = new EnumMap<>(KeyState.class);
        List<Duration> ages = new ArrayList<>();
        Duration purgeLag = Duration.ZERO;
        for (Entry entry : entries) {
            keys.merge(entry.state(now), 1L, Long::sum);
            if (entry.isPending()) {
                ages.add(Duration.between(entry.claimedAt(), now));
            }
            Entry.Settlement settlement = entry.settlement();
            if (settlement != null) {
                Duration lag = Duration.between(settlement.purgeAt(), now);
                purgeLag = lag.compareTo(purgeLag) > 0 ? lag : purgeLag;
            }
        }
        return new StoreStatistics(now, keys, true, PendingAge.of(ages), bytes, -1, purgeLag);
    }
}
