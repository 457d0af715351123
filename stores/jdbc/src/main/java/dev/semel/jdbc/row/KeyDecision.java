package dev.semel.jdbc.row;

import dev.semel.spi.life.Change;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a request on a key, or on {@code null} if there is none: a call of {@link dev.semel.spi.life.KeyLife}.
 */
@FunctionalInterface
public interface KeyDecision<Q, A> {
    Change<A> on(@Nullable StoredKey key, Q request, Moment moment);
}
