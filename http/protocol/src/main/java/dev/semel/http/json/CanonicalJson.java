package dev.semel.http.json;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.erdtman.jcs.NumberToJSON;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON document that has a canonical form (RFC 8785): one in which no two readers can see different things.
 *
 * <p>A document without one is valid too, but is compared byte by byte. That is the case for text that is not UTF-8, duplicate
 * members, unpaired surrogates, numbers that a double cannot hold exactly (two account numbers of 17 digits must not
 * become one), and documents above the limits on size and depth.
 */
public final class CanonicalJson {

    public static final int MAX_BYTES = 1 << 20;
    private static final int MAX_DEPTH = 100;
    private static final int MAX_TOKENS = 100_000;
    private static final int MAX_NUMBER = 100;
    static final int EXACT_DIGITS = 15;

    /** How long most documents are at most, in characters. */
    private static final int USUAL = 256;

    /** What a lenient decoder makes of bytes that are not UTF-8; a document may also contain it. */
    private static final char REPLACEMENT = '\uFFFD';

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxTokenCount(MAX_TOKENS)
                    .maxNumberLength(MAX_NUMBER)
                    .maxStringLength(MAX_BYTES)
                    .maxNameLength(MAX_BYTES)
                    .build())
            .build();

    /** Stands for the JSON null, because maps and lists of values hold no Java null. */
    private static final Object NULL = new Object();

    /** A number in its canonical form. */
    private record Number(String text) {}

    private static final class NotCanonicalException extends Exception {

        private static final long serialVersionUID = 1L;

        NotCanonicalException() {
            super(null, null, false, false);
        }
    }

    /** {@code null} until someone asks for a part of a flat document. */
    private @Nullable Object root;

    private final byte @Nullable [] flat;

    private CanonicalJson(@Nullable Object root, byte @Nullable [] flat) {
        this.root = root;
        this.flat = flat;
    }

    /** The document, or empty if it has no canonical form. */
    public static Optional<CanonicalJson> parse(byte[] utf8) {
        if (utf8.length > MAX_BYTES) {
            return Optional.empty();
        }
        byte[] flat = FlatJson.canonical(utf8);
        return flat != null ? Optional.of(new CanonicalJson(null, flat)) : parseTree(utf8);
    }

    /** Parses a document of any shape; {@link #parse} takes a faster path for flat ones. */
    static Optional<CanonicalJson> parseTree(byte[] utf8) {
        try {
            String text = decode(utf8);
            try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
                Object root = value(parser, parser.nextToken());
                return parser.nextToken() == null ? Optional.of(new CanonicalJson(root, null)) : Optional.empty();
            }
        } catch (CharacterCodingException | JacksonException | NotCanonicalException e) {
            return Optional.empty();
        }
    }

    private Object root() {
        Object known = root;
        if (known == null) {
            known = parseTree(Objects.requireNonNull(flat)).orElseThrow().root();
            root = known;
        }
        return known;
    }

    /** Decodes here and strictly: a parser of bytes would guess other encodings and let surrogates pass. */
    private static String decode(byte[] utf8) throws CharacterCodingException {
        String text = new String(utf8, StandardCharsets.UTF_8);
        return text.indexOf(REPLACEMENT) < 0
                ? text
                : StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(utf8))
                        .toString();
    }

    /** The canonical form of the whole document. */
    public byte[] bytes() {
        byte[] known = flat;
        return known != null ? known : canonical(root());
    }

    /** The canonical form of the value at the pointer, or {@code null} if the document has none there. */
    public byte @Nullable [] bytes(JsonPointer pointer) {
        Object found = pointer.find(root());
        return found == null ? null : canonical(found);
    }

    /** The document without the values at these pointers. */
    public CanonicalJson without(List<JsonPointer> pointers) {
        return pointers.isEmpty() ? this : new CanonicalJson(JsonPointer.removeAll(root(), pointers), null);
    }

    private static Object value(JsonParser parser, @Nullable JsonToken token) throws NotCanonicalException {
        if (token == null) {
            throw new NotCanonicalException();
        }
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> requirePairedSurrogates(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getString());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> NULL;
            default -> throw new NotCanonicalException();
        };
    }

    private static Map<String, Object> object(JsonParser parser) throws NotCanonicalException {
        // String compares UTF-16 code units, which is the order that RFC 8785 asks for.
        Map<String, Object> members = new TreeMap<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (members.put(requirePairedSurrogates(name), value(parser, parser.nextToken())) != null) {
                throw new NotCanonicalException();
            }
        }
        return members;
    }

    private static List<Object> array(JsonParser parser) throws NotCanonicalException {
        List<Object> elements = new ArrayList<>();
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
            elements.add(value(parser, next));
        }
        return elements;
    }

    private static Number number(String text) throws NotCanonicalException {
        if (isShortInteger(text)) {
            return new Number(text);
        }
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            throw new NotCanonicalException();
        }
        String canonical;
        try {
            canonical = NumberToJSON.serializeNumber(value);
        } catch (IOException e) {
            throw new IllegalStateException("a finite number has a canonical form: " + value, e);
        }
        if (!isSame(text, canonical)) {
            throw new NotCanonicalException();
        }
        return new Number(canonical);
    }

    private static boolean isSame(String number, String canonical) {
        try {
            return new BigDecimal(number).compareTo(new BigDecimal(canonical)) == 0;
        } catch (NumberFormatException e) {
            // An exponent of more than ten digits.
            return false;
        }
    }

    /** Whether this number is already canonical: a double holds every integer with this many digits. */
    private static boolean isShortInteger(String text) {
        if (text.length() > EXACT_DIGITS) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static String requirePairedSurrogates(String text) throws NotCanonicalException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean paired = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!paired) {
                    throw new NotCanonicalException();
                }
                i++;
            }
        }
        return text;
    }

    private static byte[] canonical(Object value) {
        StringBuilder out = new StringBuilder(USUAL);
        append(out, value);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void append(StringBuilder out, Object value) {
        if (value instanceof Map<?, ?> members) {
            out.append('{');
            members.forEach((name, member) -> {
                separate(out, '{');
                JsonText.appendString(out, (String) name);
                out.append(':');
                append(out, member);
            });
            out.append('}');
        } else if (value instanceof List<?> elements) {
            out.append('[');
            elements.forEach(element -> {
                separate(out, '[');
                append(out, element);
            });
            out.append(']');
        } else if (value instanceof String text) {
            JsonText.appendString(out, text);
        } else if (value instanceof Number number) {
            out.append(number.text());
        } else {
            out.append(value == NULL ? "null" : value);
        }
    }

    private static void separate(StringBuilder out, char opening) {
        if (out.charAt(out.length() - 1) != opening) {
            out.append(',');
        }
    }
}
