package dev.semel.http;

import dev.semel.Fingerprint;
import dev.semel.http.json.CanonicalJson;
import dev.semel.http.json.JsonPointer;
import dev.semel.util.LengthPrefixedDigest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects the parts of a JSON body that identify a request, by JSON Pointer (RFC 6901). Bodies without a canonical form
 * are compared whole, byte for byte.
 */
public final class Fields {

    private static final Fields ALL = new Fields(List.of(), List.of());

    private final List<JsonPointer> included;
    private final List<JsonPointer> ignored;

    private Fields(List<JsonPointer> included, List<JsonPointer> ignored) {
        this.included = included;
        this.ignored = ignored;
    }

    /** The whole body. */
    public static Fields all() {
        return ALL;
    }

    /** Only these fields, for example {@code /amount}; a missing field makes a difference too. */
    public static Fields only(String... pointers) {
        if (pointers.length == 0) {
            throw new IllegalArgumentException("no field is included: name at least one JSON Pointer");
        }
        return new Fields(parse(pointers), List.of());
    }

    /** All fields except these, for example {@code /sentAt}. */
    public static Fields allBut(String... pointers) {
        return new Fields(List.of(), parse(pointers));
    }

    private static List<JsonPointer> parse(String... pointers) {
        return List.of(pointers).stream().map(JsonPointer::parse).toList();
    }

    /**
     * The fingerprint of the chosen parts of a JSON document that is not a request body, such as the arguments of a
     * method.
     *
     * @param operation its {@link dev.semel.policy.Policy#identity}
     * @param rules other rules that shape the document, such as the names of the arguments
     */
    public Fingerprint fingerprint(String operation, byte[] json, String... rules) {
        byte[] chosen = CanonicalJson.parse(json)
                .map(document -> LengthPrefixedDigest.sha256Of(parts(document)))
                .orElse(json);
        return governing(Fingerprint.of(1, operation.getBytes(StandardCharsets.UTF_8), chosen), rules);
    }

    /**
     * Marks a fingerprint as made from these fields: when the choice of fields changes, it is not compared with older
     * ones.
     */
    Fingerprint governing(Fingerprint fingerprint, String... further) {
        if (this == ALL && further.length == 0) {
            return fingerprint;
        }
        List<String> rules = new ArrayList<>();
        included.forEach(pointer -> rules.add("+" + pointer.text()));
        ignored.forEach(pointer -> rules.add("-" + pointer.text()));
        rules.addAll(List.of(further));
        return rules.isEmpty() ? fingerprint : fingerprint.withRules(rules.toArray(String[]::new));
    }

    /** The chosen parts of the document; one that it lacks is empty. */
    byte[][] parts(CanonicalJson document) {
        if (included.isEmpty()) {
            return new byte[][] {document.without(ignored).bytes()};
        }
        byte[][] parts = new byte[included.size()][];
        for (int i = 0; i < parts.length; i++) {
            byte[] value = document.bytes(included.get(i));
            parts[i] = value == null ? new byte[0] : value;
        }
        return parts;
    }

    /** The values of the fields that are named; {@code null} if the document lacks one. */
    @Nullable
    List<byte[]> present(CanonicalJson document) {
        List<byte[]> values = new ArrayList<>();
        for (JsonPointer pointer : included) {
            byte[] value = document.bytes(pointer);
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        return values;
    }
}
