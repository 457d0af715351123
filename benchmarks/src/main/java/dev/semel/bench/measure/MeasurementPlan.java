package dev.semel.bench.measure;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param warmUp how long each design runs, once, before anything counts
 * @param time how long each measurement takes
 * @param rounds how often each is made; a number is the median over the rounds
 * @param naiveThreads the numbers of threads among which the obvious design has its best
 * @param standingKeys how many keys stand in the full table of the comparison with an empty one, 0 for no comparison
 */
public record MeasurementPlan(
        Duration warmUp, Duration time, int rounds, List<Integer> naiveThreads, int standingKeys) {

    public static final MeasurementPlan QUICK =
            new MeasurementPlan(Duration.ofMillis(700), Duration.ofMillis(600), 2, List.of(32), 0);

    public static final MeasurementPlan FULL =
            new MeasurementPlan(Duration.ofSeconds(2), Duration.ofMillis(2_500), 3, List.of(16, 32, 64), 5_000_000);
}
