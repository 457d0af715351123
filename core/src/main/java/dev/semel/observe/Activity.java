package dev.semel.observe;

import java.time.Duration;

/**
 * The current activity of an engine.
 *
 * @param running how many attempts it runs
 * @param longest for how long the oldest of them has been running
 * @param waiting how many duplicates wait for an outcome
 */
public record Activity(int running, Duration longest, int waiting) {}
