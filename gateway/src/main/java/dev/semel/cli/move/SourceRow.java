package dev.semel.cli.move;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table or file.
 *
 * @param position from which reading can begin again: a number, or text
 * @param cells text or bytes, for each column that the mapping names and this row has a value in
 */
record SourceRow(Object position, Map<String, Object> cells) {

    @Nullable
    Object cell(@Nullable String column) {
        return column == null ? null : cells.get(column);
    }
}
