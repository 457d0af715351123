package dev.semel.observe;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the store of an engine answers. */
public final class StoreHealth {

    /** The store answers, as far as is known. */
    public static final StoreHealth UP = new StoreHealth(null, null);

    private final @Nullable Instant since;
    private final @Nullable String cause;

    private StoreHealth(@Nullable Instant since, @Nullable String cause) {
        this.since = since;
        this.cause = cause;
    }

    /** A store that has not answered since then, with the failure of the last call. */
    public static StoreHealth downSince(Instant since, String cause) {
        return new StoreHealth(since, cause);
    }

    /** Whether claims are sent to the store. If not, they are refused immediately, or run unprotected where the policy allows. */
    public boolean isUp() {
        return since == null;
    }

    /** Since when the store does not answer; empty if it does. */
    public Optional<Instant> downSince() {
        return Optional.ofNullable(since);
    }

    /** The failure of the last call; empty if the store answers. */
    public Optional<String> cause() {
        return Optional.ofNullable(cause);
    }

    @Override
    public String toString() {
        return since == null ? "StoreHealth[up]" : "StoreHealth[down since " + since + "]";
    }
}
