package dev.semel.attack;

/**
 * How long floods last, and what they must leave to a well-behaved caller.
 *
 * @param leastBuildUpMillis how long a flood has to build up: what it sends at once costs this machine as much as the gateway
 * @param mostBuildUpMillis how long it has if the caller is not back at its pace by then
 * @param measureMillis how long the caller is watched beside a flood
 * @param minimalRatio the least part of its throughput that it must keep
 */
record Effort(long leastBuildUpMillis, long mostBuildUpMillis, long measureMillis, double minimalRatio) {

    static final double RATIO = 0.8;

    static final Effort FULL = new Effort(1_000, 1_000, 1_500, RATIO);

    static final Effort QUICK = new Effort(200, 1_500, 500, RATIO);
}
