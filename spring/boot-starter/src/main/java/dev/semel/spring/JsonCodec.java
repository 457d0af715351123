package dev.semel.spring;

import dev.semel.Codec;
import java.lang.reflect.Type;
import java.util.Optional;

/** Keeps what a method returns as JSON. A method may return {@code null}, which is empty here. */
record JsonCodec(Json json, Type type) implements Codec<Optional<Object>> {

    static final String CONTENT_TYPE = "application/json";

    @Override
    public byte[] encode(Optional<Object> value) {
        return json.write(value.orElse(null), type);
    }

    @Override
    public Optional<Object> decode(byte[] bytes) {
        return Optional.ofNullable(json.read(bytes, type));
    }
}
