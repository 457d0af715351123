package dev.semel.bench.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/** The results of all rounds, by what was measured. */
public final class Rounds {

    private final Map<String, List<Result>> results = new LinkedHashMap<>();

    public void add(String what, Result result) {
        results.computeIfAbsent(what, name -> new ArrayList<>()).add(result);
    }

    public Result latest(String what) {
        List<Result> found = all(what);
        return found.get(found.size() - 1);
    }

    public Set<String> names() {
        return results.keySet();
    }

    public double median(String what, ToDoubleFunction<Result> value) {
        return median(all(what).stream().mapToDouble(value).toArray());
    }

    /** The median of what two measurements of the same round give together: a ratio is fair only within a round. */
    public double median(String what, String base, ToDoubleBiFunction<Result, Result> value) {
        List<Result> ours = all(what);
        List<Result> theirs = all(base);
        double[] values = new double[ours.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.applyAsDouble(ours.get(i), theirs.get(i));
        }
        return median(values);
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
