package dev.semel.jackson;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson 2. */
public final class Jackson2Json implements Json {

    private final ObjectMapper mapper;

    public Jackson2Json(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public byte[] write(@Nullable Object value, Type type) {
        try {
            return mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("cannot write a value of " + type + " as JSON: " + e.getMessage(), e);
        }
    }

    @Override
    public @Nullable Object read(byte[] json, Type type) {
        try {
            return mapper.readerFor(mapper.constructType(type)).readValue(json);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read a value of " + type + " from JSON: " + e.getMessage(), e);
        }
    }

    @Override
    public @Nullable String unreadable(Type type) {
        try {
            mapper.readerFor(mapper.constructType(type)).readValue("{}");
            return null;
        } catch (InvalidDefinitionException e) {
            return e.getOriginalMessage();
        } catch (IOException | RuntimeException e) {
            // It is this text that is no such value.
            return null;
        }
    }
}
