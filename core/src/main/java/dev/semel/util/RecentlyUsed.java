package dev.semel.util;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map with a limit, which forgets the least recently used entry for a new one. */
public final class RecentlyUsed<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1;

    private final int limit;

    private RecentlyUsed(int limit) {
        super(16, 0.75f, true);
        this.limit = limit;
    }

    /** A map that is safe for several threads; hold its lock while you iterate over it. */
    public static <K, V> Map<K, V> upTo(int limit) {
        return Collections.synchronizedMap(new RecentlyUsed<>(limit));
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > limit;
    }
}
