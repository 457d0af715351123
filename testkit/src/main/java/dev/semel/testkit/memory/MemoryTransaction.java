package dev.semel.testkit.memory;

import dev.semel.KeyDigest;
import dev.semel.spi.life.StoredKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The uncommitted writes of a transaction, which no one else sees yet. Guarded by the lock of its store. */
final class MemoryTransaction {

    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private Map<KeyDigest, Optional<StoredKey>> written = new HashMap<>();

    boolean has(KeyDigest digest) {
        return written.containsKey(digest);
    }

    @Nullable
    StoredKey get(KeyDigest digest) {
        return written.getOrDefault(digest, Optional.empty()).orElse(null);
    }

    void put(KeyDigest digest, @Nullable StoredKey key) {
        written.put(digest, Optional.ofNullable(key));
    }

    /** A copy of everything so far; a key that is gone is empty. */
    Map<KeyDigest, Optional<StoredKey>> written() {
        return Map.copyOf(written);
    }

    void restore(Map<KeyDigest, Optional<StoredKey>> before) {
        written = new HashMap<>(before);
    }

    /** Completes when the transaction has ended, with whether it was committed. */
    CompletableFuture<Boolean> ended() {
        return ended;
    }
}
