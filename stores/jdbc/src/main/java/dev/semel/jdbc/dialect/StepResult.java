package dev.semel.jdbc.dialect;

import dev.semel.spi.Lease;

/** The result of one step on its way to the database. */
public record StepResult(Lease lease, String name, byte[] result) {}
