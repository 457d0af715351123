package dev.semel.spring.json;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** The JSON library of the application, whichever it is. */
public interface Json {

    byte[] write(@Nullable Object value, Type type);

    @Nullable
    Object read(byte[] json, Type type);

    /** Why no value of the type can ever be read; {@code null} as far as that is known without a value. */
    @Nullable
    String unreadable(Type type);
}
