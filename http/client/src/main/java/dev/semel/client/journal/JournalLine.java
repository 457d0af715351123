package dev.semel.client.journal;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One line of a journal: a checksum, and the beginning or the end of an operation.
 *
 * @param size of the line
 * @param begun the operation that begins here, or {@code null} where the one with this key ends
 */
public record JournalLine(String key, @Nullable BegunOperation begun, int size) {

    static final String FIRST = "semel-journal 1";

    private static final String BEGIN = "begin";
    private static final String END = "end";
    private static final String NOTHING = "-";
    private static final int CHECKSUM = 8;
    private static final int EXPIRES = 8;

    public static byte[] begin(BegunOperation operation) {
        List<String> headers = new ArrayList<>();
        operation
                .headers()
                .forEach((name, values) -> values.forEach(value -> headers.add(encode(name) + '=' + encode(value))));
        return line(String.join(
                " ",
                BEGIN,
                encode(operation.key()),
                operation.since().toString(),
                operation.method(),
                operation.uri().toASCIIString(),
                orNothing(String.join("&", headers)),
                orNothing(String.join(",", operation.withheld())),
                orNothing(Base64.getEncoder().encodeToString(operation.body())),
                orNothing(Objects.toString(operation.expires(), ""))));
    }

    public static byte[] end(String key) {
        return line(END + ' ' + encode(key));
    }

    /** Reads a line without its end, or gives {@code null} if it is damaged. */
    static @Nullable JournalLine parse(String line) {
        if (line.length() <= CHECKSUM + 1
                || !line.substring(0, CHECKSUM).equals(checksum(line.substring(CHECKSUM + 1)))) {
            return null;
        }
        String[] words = line.substring(CHECKSUM + 1).split(" ", -1);
        String key = decode(words[1]);
        return words[0].equals(END)
                ? new JournalLine(key, null, line.length())
                : new JournalLine(key, begun(key, words), line.length());
    }

    private static BegunOperation begun(String key, String[] words) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String pair : list(words[5], "&")) {
            int equals = pair.indexOf('=');
            headers.computeIfAbsent(decode(pair.substring(0, equals)), name -> new ArrayList<>())
                    .add(decode(pair.substring(equals + 1)));
        }
        Set<String> withheld = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        withheld.addAll(list(words[6], ","));
        byte[] body =
                words[7].equals(NOTHING) ? new byte[0] : Base64.getDecoder().decode(words[7]);
        // Lines in journals of older versions lack the last field.
        Instant expires =
                words.length <= EXPIRES || words[EXPIRES].equals(NOTHING) ? null : Instant.parse(words[EXPIRES]);
        return new BegunOperation(
                key, Instant.parse(words[2]), words[3], URI.create(words[4]), headers, withheld, body, expires);
    }

    private static List<String> list(String word, String separator) {
        return word.equals(NOTHING) ? List.of() : List.of(word.split(separator));
    }

    private static String orNothing(String word) {
        return word.isEmpty() ? NOTHING : word;
    }

    private static byte[] line(String text) {
        return (checksum(text) + ' ' + text + '\n').getBytes(StandardCharsets.UTF_8);
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
