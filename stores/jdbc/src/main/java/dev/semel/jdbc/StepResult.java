package dev.semel.jdbc;

import dev.semel.spi.Lease;

/** The result of one step on its way to the database. */
record StepResult(Lease lease, String name, byte[] result) {}
