package dev.semel.spring.operation;

import java.util.AbstractMap;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The headers of a request or a record, by name, as {@code #header['Name']} reads them in an expression. */
public final class HeaderValues extends AbstractMap<String, String> {

    private final Function<String, @Nullable String> values;

    public HeaderValues(Function<String, @Nullable String> values) {
        this.values = values;
    }

    @Override
    public @Nullable String get(Object name) {
        return values.apply(name.toString());
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        throw new UnsupportedOperationException("headers are read one by one: #header['Name']");
    }
}
