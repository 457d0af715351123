package dev.semel.jackson;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.exc.InvalidDefinitionException;

/** JSON by Jackson 3. */
public final class Jackson3Json implements Json {

    private final ObjectMapper mapper;

    public Jackson3Json(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public byte[] write(@Nullable Object value, Type type) {
        return mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
    }

    @Override
    public @Nullable Object read(byte[] json, Type type) {
        return mapper.readerFor(mapper.constructType(type)).readValue(json);
    }

    @Override
    public @Nullable String unreadable(Type type) {
        try {
            mapper.readerFor(mapper.constructType(type)).readValue("{}");
            return null;
        } catch (InvalidDefinitionException e) {
            return e.getOriginalMessage();
        } catch (RuntimeException e) {
            // It is this text that is no such value.
            return null;
        }
    }
}
