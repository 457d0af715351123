package dev.semel.jdbc.postgres;

import dev.semel.spi.KeyState;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.StoreStatistics.PendingAge;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The statistics of a table, put together from the parts that were counted.
 *
 * @param share how much of the table these parts are
 * @param exact whether all of it was counted just now
 */
record PostgresEstimate(List<PostgresPartCount> parts, double share, boolean exact) {

    /** The age of a claim, in seconds, and how many claims it stands for. */
    private record Point(double age, double weight) {}

    StoreStatistics statistics(Instant at, double oldest, Set<UUID> noLongerUnknown, long bytes, long deadRows) {
        return StoreStatistics.builder(at, counts(noLongerUnknown))
                .exact(exact)
                .pendingAge(ages(oldest))
                .bytes(bytes)
                .deadRows(deadRows)
                .purgeLag(seconds(
                        parts.stream().mapToDouble(PostgresPartCount::lag).max().orElse(0)))
                .build();
    }

    private Map<KeyState, Long> counts(Set<UUID> noLongerUnknown) {
        Map<KeyState, Long> counts = new EnumMap<>(KeyState.class);
        for (KeyState state : KeyState.values()) {
            long counted = parts.stream()
                    .mapToLong(part -> part.keys().getOrDefault(state, 0L))
                    .sum();
            if (state == KeyState.UNKNOWN) {
                counted -= parts.stream()
                        .flatMap(part -> part.unknown().stream())
                        .filter(noLongerUnknown::contains)
                        .count();
            }
            long estimated = Math.round(counted / share);
            if (estimated > 0) {
                counts.put(state, estimated);
            }
        }
        return counts;
    }

    private PendingAge ages(double oldest) {
        List<Point> points = new ArrayList<>();
        for (PostgresPartCount part : parts) {
            double weight = (double) part.pending() / Math.max(1, part.ages().size());
            part.ages().forEach(age -> points.add(new Point(age, weight)));
        }
        points.sort(Comparator.comparingDouble(Point::age));
        return new PendingAge(
                seconds(Math.min(oldest, quantile(points, 0.50))),
                seconds(Math.min(oldest, quantile(points, 0.95))),
                seconds(Math.min(oldest, quantile(points, 0.99))),
                seconds(oldest));
    }

    private static double quantile(List<Point> points, double quantile) {
        double all = points.stream().mapToDouble(Point::weight).sum();
        double passed = 0;
        for (Point point : points) {
            passed += point.weight();
            if (passed >= quantile * all) {
                return point.age();
            }
        }
        return 0;
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(Math.max(0, seconds) * 1e6) * 1_000);
    }
}
