package dev.semel.jdbc.dialect;

import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Lease;

/** One settle on its way to the database. */
public record SettleRequest(Lease lease, Outcome outcome, Retention retention) {}
