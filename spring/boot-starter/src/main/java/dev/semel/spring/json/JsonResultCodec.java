package dev.semel.spring.json;

import dev.semel.Codec;
import dev.semel.SemelException;
import dev.semel.jackson.Json;
import java.lang.reflect.Type;
import java.util.Optional;

/** Stores the results of a method as JSON. A {@code null} result is an empty {@code Optional} here. */
public record JsonResultCodec(Json json, Type type, String operation) implements Codec<Optional<Object>> {

    public static final String CONTENT_TYPE = "application/json";

    /** What to do about a result that cannot be read back. */
    public static final String REMEDY =
            "Return a class or record that the application's JSON library can read: one that is not"
                    + " abstract and has a constructor for its fields, or says with annotations what it is made from.";

    /**
     * Checks that the written JSON can be read back. Later it would be too late, because the operation does not run
     * again.
     */
    @Override
    public byte[] encode(Optional<Object> value) {
        try {
            byte[] bytes = json.write(value.orElse(null), type);
            json.read(bytes, type);
            return bytes;
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "the result of operation " + operation + " cannot be written as " + type.getTypeName()
                            + " and read back. " + REMEDY,
                    e);
        }
    }

    @Override
    public Optional<Object> decode(byte[] bytes) {
        try {
            return Optional.ofNullable(json.read(bytes, type));
        } catch (RuntimeException e) {
            throw new SemelException(
                    "operation " + operation
                            + " succeeded and is not run again, but its stored result cannot be read as "
                            + type.getTypeName() + ": " + e.getMessage(),
                    e);
        }
    }
}
