package dev.semel.spi;

import java.time.Duration;

/** A lease to be extended to {@code duration} from now. */
public record Renewal(Lease lease, Duration duration) {}
