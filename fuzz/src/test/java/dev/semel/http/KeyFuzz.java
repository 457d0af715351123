package dev.semel.http;

import static dev.semel.fuzz.Fuzz.require;

import dev.semel.fuzz.Fuzz;
import dev.semel.http.header.IdempotencyKeyHeader;
import dev.semel.http.header.IdempotencyKeyHeader.InvalidKeyException;
import java.util.List;
import org.greenbytes.http.sfv.StringItem;

/** The key of a header: one key has one value, however it is written, and no character that could leave its place. */
public final class KeyFuzz {

    private static final String NAME = "Idempotency-Key";
    private static final int MAX = 255;

    private KeyFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        List<String> lines = Fuzz.fields(input);
        String strict = read(lines, true);
        String lenient = read(lines, false);
        if (strict != null) {
            require(strict.equals(lenient), "a strict reading is also a lenient one", lines);
        }
        if (lenient != null) {
            require(lines.size() == 1, "one line", lines);
            require(!lenient.isEmpty() && lenient.length() <= MAX, "bounded", lenient);
            require(lenient.chars().allMatch(c -> c >= ' ' && c < 0x7f), "printable ASCII", lenient);
            String written = StringItem.valueOf(lenient).serialize();
            require(lenient.equals(read(List.of(written), true)), "written again, it is the same key", lenient);
            require(
                    lenient.equals(read(List.of("  " + lines.get(0) + " "), false)),
                    "blanks around do not count",
                    lines);
        }
    }

    private static String read(List<String> lines, boolean strict) {
        try {
            return IdempotencyKeyHeader.parse(NAME, lines, strict, MAX);
        } catch (InvalidKeyException e) {
            require(e.detail().chars().allMatch(c -> c >= ' ' && c < 0x7f), "a complaint repeats no input", e.detail());
            return null;
        }
    }
}
