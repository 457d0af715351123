package dev.semel.cli.move;

import dev.semel.gateway.config.Spelling;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A field of a row. */
enum Field {
    NAMESPACE,
    SCOPE,
    KEY,
    OPERATION,
    /** The oldest name of the operation, if it was renamed. */
    IDENTITY,
    STATE,
    STATUS,
    HEADERS,
    CONTENT_TYPE,
    BODY,
    CREATED,
    SETTLED,
    EXPIRES,
    RETENTION;

    /** The name as a mapping writes it. */
    String written() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Field parse(String written) {
        List<String> names = Arrays.stream(values()).map(Field::written).toList();
        if (!names.contains(written)) {
            throw new IllegalArgumentException("there is no field \"" + written + "\"; did you mean \""
                    + Spelling.nearest(written, names) + "\"?");
        }
        return valueOf(written.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
