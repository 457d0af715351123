package dev.semel.cli.move;

import org.jspecify.annotations.Nullable;

/** The rows of a table or file, in an order that does not change. */
interface RowSource extends AutoCloseable {

    /** The next row, or {@code null} at the end. */
    @Nullable
    SourceRow next() throws Exception;

    @Override
    void close() throws Exception;
}
