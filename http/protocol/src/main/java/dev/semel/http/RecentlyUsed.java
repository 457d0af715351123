package dev.semel.http;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was put last, in a fixed number of places: what comes to the place of another takes it. So it needs no
 * lock and no order, and a request hardly notices it.
 */
final class RecentlyUsed<K, V> {

    private final AtomicReferenceArray<@Nullable Entry<K, V>> places;

    private record Entry<K, V>(K key, V value) {}

    /** @param size how many places there are, a power of two */
    RecentlyUsed(int size) {
        places = new AtomicReferenceArray<>(size);
    }

    private int place(K key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return (hash ^ hash >>> 15) & (places.length() - 1);
    }

    /** Puts, and returns what was there before under the same key. */
    @Nullable
    V put(K key, V value) {
        Entry<K, V> before = places.getAndSet(place(key), new Entry<>(key, value));
        return before != null && before.key.equals(key) ? before.value : null;
    }

    @Nullable
    V remove(K key) {
        int place = place(key);
        Entry<K, V> found = places.get(place);
        boolean removed = found != null && found.key.equals(key) && places.compareAndSet(place, found, null);
        return removed ? found.value : null;
    }
}
