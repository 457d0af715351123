package dev.semel.torture.load;

import dev.semel.Key;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a restored store has done to keys. A key that it has forgotten begins a new era, which is judged by itself. A key of which no
 * client knows whether the copy had it is closed: nothing more is sent under it.
 */
final class KeyEras {

    private final Map<Key, Integer> eras = new ConcurrentHashMap<>();
    private final Set<Key> closed = ConcurrentHashMap.newKeySet();

    void begin(Key key) {
        eras.merge(key, 1, Integer::sum);
    }

    void close(Key key) {
        closed.add(key);
    }

    boolean isClosed(Key key) {
        return closed.contains(key);
    }

    /** The key under which the present era is judged. */
    Key judged(Key key) {
        Integer era = eras.get(key);
        return era == null ? key : Key.of(key.scope(), key.value() + "~" + era);
    }
}
