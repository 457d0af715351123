package dev.semel.http;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map that forgets what was put the longest ago. In several parts, so that threads hardly wait for each other. */
final class RecentlyUsed<K, V> {

    private static final int PARTS = 16;

    private final Part<K, V>[] parts;

    private static final class Part<K, V> extends LinkedHashMap<K, V> {

        private static final long serialVersionUID = 1L;

        private final int max;

        private Part(int max) {
            this.max = max;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > max;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    RecentlyUsed(int max) {
        parts = new Part[PARTS];
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new Part<>(max / PARTS);
        }
    }

    private Part<K, V> part(K key) {
        int hash = key.hashCode();
        return parts[(hash ^ hash >>> 16) & (PARTS - 1)];
    }

    /** Puts, and returns what was there before. */
    @Nullable
    V put(K key, V value) {
        Part<K, V> part = part(key);
        synchronized (part) {
            // Removed first, so that it becomes the youngest.
            V before = part.remove(key);
            part.put(key, value);
            return before;
        }
    }

    @Nullable
    V remove(K key) {
        Part<K, V> part = part(key);
        synchronized (part) {
            return part.remove(key);
        }
    }
}
