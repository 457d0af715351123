package dev.semel.spi.life;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Entries that were used lately, up to a limit. Not safe for several threads: see {@link #upTo}. */
final class RecentlyUsed<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1;

    private final int limit;

    private RecentlyUsed(int limit) {
        super(16, 0.75f, true);
        this.limit = limit;
    }

    static <K, V> Map<K, V> upTo(int limit) {
        return Collections.synchronizedMap(new RecentlyUsed<>(limit));
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > limit;
    }
}
