package dev.semel.cli.move;

import dev.semel.spi.KeyRecord;

/** The meaning of a row for the store. */
sealed interface MappedRow {

    /** A key that the store can take over. */
    record Importable(KeyRecord key) implements MappedRow {}

    /** A key that is free again: nothing is to be kept of it. */
    record Expired() implements MappedRow {}

    /** An operation that had not ended, which is left out as asked for. */
    record LeftOut() implements MappedRow {}

    /** A row that cannot be imported, and why. */
    record Rejected(String reason) implements MappedRow {}
}
