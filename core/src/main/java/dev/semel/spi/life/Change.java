package dev.semel.spi.life;

import org.jspecify.annotations.Nullable;

/**
 * The effect of a call on a key.
 *
 * @param next the key afterwards; {@code null} if the key is gone
 * @param answer what the caller gets
 * @param changed whether the key has to be written
 */
public record Change<A>(@Nullable StoredKey next, A answer, boolean changed) {

    static <A> Change<A> none(@Nullable StoredKey key, A answer) {
        return new Change<>(key, answer, false);
    }

    static <A> Change<A> to(@Nullable StoredKey next, A answer) {
        return new Change<>(next, answer, true);
    }
}
