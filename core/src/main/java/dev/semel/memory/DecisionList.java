package dev.semel.memory;

import dev.semel.spi.DecisionLog.Entry;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The latest decisions about keys, in memory like the keys themselves. */
final class DecisionList {

    private static final int MOST = 10_000;

    private final InstantSource clock;
    private final Deque<Entry> latestFirst = new ArrayDeque<>();
    private long lastId;

    DecisionList(InstantSource clock) {
        this.clock = clock;
    }

    synchronized void add(Entry entry) {
        lastId++;
        latestFirst.addFirst(entry.toBuilder().added(lastId, clock.instant()).build());
        if (latestFirst.size() > MOST) {
            latestFirst.removeLast();
        }
    }

    synchronized List<Entry> entries(@Nullable String subject, long before, int limit) {
        return latestFirst.stream()
                .filter(each ->
                        (before == 0 || each.id() < before) && (subject == null || subject.equals(each.subject())))
                .limit(limit)
                .toList();
    }
}
