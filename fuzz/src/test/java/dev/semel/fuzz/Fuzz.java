package dev.semel.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What all targets share. */
public final class Fuzz {

    /** Parts the fields of an input; no byte of HTTP, YAML or SQL text. */
    private static final byte PARTING = (byte) 0xff;

    private Fuzz() {}

    /** Ends the search with a finding. */
    public static void require(boolean condition, String rule, Object value) {
        if (!condition) {
            throw new AssertionError(rule + ": " + Inputs.escaped(String.valueOf(value)));
        }
    }

    /** The fields of an input, one character for each byte. */
    public static List<String> fields(byte[] input) {
        List<String> fields = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= input.length; i++) {
            if (i == input.length || input[i] == PARTING) {
                fields.add(new String(input, start, i - start, StandardCharsets.ISO_8859_1));
                start = i + 1;
            }
        }
        return fields;
    }
}
