package dev.semel.observe;

import java.time.Duration;

/**
 * What an engine is doing at this moment.
 *
 * @param running how many attempts it runs
 * @param longest for how long the oldest of them has been running
 * @param waiting how many duplicates wait for an outcome
 */
public record Activity(int running, Duration longest, int waiting) {}
