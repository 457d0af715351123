package dev.semel.spi;

import dev.semel.KeyDigest;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store that people, and the maintenance of the engine, can look into. Nothing here is on the way of a request. */
public interface Inspecting {

    CompletionStage<Optional<KeyRecord>> find(KeyDigest digest);

    /** A page of records in an order that the store chooses and keeps. */
    CompletionStage<KeyPage> page(KeyQuery query);

    CompletionStage<StoreStatistics> statistics();

    /** What the store's clock shows; if it cannot be told exactly, the earliest that it may show. */
    CompletionStage<Instant> now();

    /**
     * Resolves a key that is lapsed or unknown and still carries this token, and notes the reason in its history if that
     * changes the key and leaves it there; {@code false} if the key has moved on. After {@link Resolution.Settle} and {@link Resolution.Release} the attempt
     * that owned the key can no longer write to it.
     */
    CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason);
}
