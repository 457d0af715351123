package dev.semel.jdbc;

import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.Lease;

/** One settle on its way to the database. */
record Settlement(Lease lease, Outcome outcome, Retention retention) {}
