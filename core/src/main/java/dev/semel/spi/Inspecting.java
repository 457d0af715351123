package dev.semel.spi;

import dev.semel.KeyDigest;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store whose keys people and the engine's maintenance can list. Nothing here is on the request path. */
public interface Inspecting {

    CompletionStage<Optional<KeyRecord>> find(KeyDigest digest);

    /** A page of records in a stable order that the store chooses. */
    CompletionStage<KeyPage> page(KeyQuery query);

    CompletionStage<StoreStatistics> statistics();

    /** The time of the store's clock; if it is not known exactly, the earliest possible time. */
    CompletionStage<Instant> now();

    /**
     * Resolves a key that is lapsed or unknown and still carries this token; {@code false} if the key has changed. The
     * reason is added to the key's history, if the key changes and still exists afterwards. After {@link
     * Resolution.Settle} and {@link Resolution.Release} the attempt that owned the key can no longer write to it.
     */
    CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason);
}
