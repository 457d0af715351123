package dev.semel.spi.life;

import org.jspecify.annotations.Nullable;

/**
 * What a call does to a key.
 *
 * @param next the key afterwards; {@code null} if nothing is left of it
 * @param answer what the caller gets
 * @param changed whether there is anything to write
 */
public record Change<A>(@Nullable StoredKey next, A answer, boolean changed) {

    static <A> Change<A> none(@Nullable StoredKey key, A answer) {
        return new Change<>(key, answer, false);
    }

    static <A> Change<A> to(@Nullable StoredKey next, A answer) {
        return new Change<>(next, answer, true);
    }
}
