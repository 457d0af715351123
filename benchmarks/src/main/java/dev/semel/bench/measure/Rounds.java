package dev.semel.bench.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The results of all rounds, by what was measured. */
public final class Rounds {

    private final Map<String, List<Result>> results = new LinkedHashMap<>();

    public void add(String what, Result result) {
        results.computeIfAbsent(what, name -> new ArrayList<>()).add(result);
    }

    public Set<String> names() {
        return results.keySet();
    }

    public double median(String what, ToDoubleFunction<Result> value) {
        return median(all(what).stream().mapToDouble(value).toArray());
    }

    /** The median of the ratios of two measurements of the same round: a ratio is fair only within a round. */
    public double ratio(String what, String base, ToDoubleFunction<Result> value) {
        List<Result> ours = all(what);
        List<Result> theirs = all(base);
        double[] ratios = new double[ours.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = value.applyAsDouble(ours.get(i)) / value.applyAsDouble(theirs.get(i));
        }
        return median(ratios);
    }

    /** How many times as much was done per second. */
    public double throughput(String what, String base) {
        return ratio(what, base, Result::perSecond);
    }

    private List<Result> all(String what) {
        List<Result> found = results.get(what);
        if (found == null) {
            throw new IllegalArgumentException("nothing was measured of " + what);
        }
        return found;
    }

    public static double median(double[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
}
