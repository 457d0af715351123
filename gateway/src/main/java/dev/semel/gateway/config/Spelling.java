package dev.semel.gateway.config;

import java.util.Comparator;
import java.util.List;

/** Guesses the intended spelling. */
public final class Spelling {

    private Spelling() {}

    /** The name that takes the fewest edits. */
    public static String nearest(String written, List<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(name -> distance(written, name)))
                .orElseThrow();
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
