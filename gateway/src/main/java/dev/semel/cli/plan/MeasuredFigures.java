package dev.semel.cli.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.TreeMap;

/** The cost of one request, as measured by {@code ./semel bench scale --figures}. */
record MeasuredFigures(Properties values) {

    private static final String RESOURCE = "figures.properties";

    static MeasuredFigures load() {
        try (InputStream in = MeasuredFigures.class.getResourceAsStream(RESOURCE)) {
            Properties values = new Properties();
            values.load(in);
            return new MeasuredFigures(values);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text(String name) {
        String value = values.getProperty(name);
        if (value == null) {
            throw new IllegalStateException("there is no figure " + name + " in " + RESOURCE);
        }
        return value;
    }

    double number(String name) {
        return Double.parseDouble(text(name));
    }

    /**
     * A figure for responses of so many bytes, on the straight line between the sizes that were measured next to it. Below
     * the smallest that is the smallest; above the largest, the line goes on.
     */
    double at(String name, double bytes, String way) {
        NavigableMap<Double, Double> measured = new TreeMap<>();
        for (String each : values.stringPropertyNames()) {
            if (each.startsWith(name + ".") && each.endsWith(way)) {
                String size = each.substring(name.length() + 1, each.length() - way.length());
                if (size.chars().allMatch(Character::isDigit)) {
                    measured.put(Double.valueOf(size), number(each));
                }
            }
        }
        if (measured.size() < 2) {
            throw new IllegalStateException("there are no two sizes of the figure " + name + way + " in " + RESOURCE);
        }
        if (bytes <= measured.firstKey()) {
            return measured.firstEntry().getValue();
        }
        Map.Entry<Double, Double> right = measured.ceilingEntry(bytes);
        if (right == null) {
            right = measured.lastEntry();
        }
        Map.Entry<Double, Double> left = measured.lowerEntry(right.getKey());
        double slope = (right.getValue() - left.getValue()) / (right.getKey() - left.getKey());
        return left.getValue() + (bytes - left.getKey()) * slope;
    }
}
