package dev.semel.util;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Entries that were used lately, up to a limit: for a new one, the one that was used the longest ago is forgotten. */
public final class RecentlyUsed<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1;

    private final int limit;

    private RecentlyUsed(int limit) {
        super(16, 0.75f, true);
        this.limit = limit;
    }

    /** A map that is safe for several threads; whoever iterates over it holds its lock. */
    public static <K, V> Map<K, V> upTo(int limit) {
        return Collections.synchronizedMap(new RecentlyUsed<>(limit));
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > limit;
    }
}
