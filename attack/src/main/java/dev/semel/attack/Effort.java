package dev.semel.attack;

/**
 * How long floods last, and what they must leave to a well-behaved caller.
 *
 * @param measureMillis how long the caller is watched beside a flood
 * @param minimalRatio the least part of its throughput that it must keep
 */
record Effort(long measureMillis, double minimalRatio) {

    static final double RATIO = 0.8;

    static final Effort FULL = new Effort(1_500, RATIO);

    static final Effort QUICK = new Effort(600, RATIO);
}
