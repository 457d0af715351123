package dev.semel.gateway.config;

import java.time.Duration;

/**
 * Event streams and tunnels.
 *
 * @param most how many may be open at the same time
 * @param age how long each may last
 */
public record Streams(int most, Duration age) {}
