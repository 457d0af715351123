package dev.semel.jdbc;

import dev.semel.spi.Lease;

/** The wish of an attempt to release its key, or else to have it marked as unknown. */
record Mark(Lease lease, boolean release) {}
