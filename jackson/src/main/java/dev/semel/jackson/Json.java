package dev.semel.jackson;

import dev.semel.Codec;
import dev.semel.OutcomeCodec;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** The application's JSON library. Values that it cannot write or read cause an unchecked exception. */
public interface Json {

    byte[] write(@Nullable Object value, Type type);

    @Nullable
    Object read(byte[] json, Type type);

    /** The reason why no value of this type can ever be read; {@code null} if none is known without a value. */
    @Nullable
    String unreadable(Type type);

    /** A codec for operations that return a value of this class, or {@code null}. */
    default <T> OutcomeCodec<T> outcomes(Class<T> type) {
        return OutcomeCodec.of(codec(type), "application/json");
    }

    /** A codec for steps with a result of this class, or {@code null}. */
    default <T> Codec<T> codec(Class<T> type) {
        return codec((Type) type);
    }

    /**
     * A codec for values of a generic type, such as a list. The caller makes sure that {@code T} is that type. The
     * codec checks that it can read back what it writes: later it would be too late, because the operation does not run
     * again.
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // The caller's word; and it gives back what it was given.
    default <T> Codec<T> codec(Type type) {
        return Codec.of(
                value -> {
                    byte[] json = write(value, type);
                    read(json, type);
                    return json;
                },
                json -> (T) read(json, type));
    }
}
