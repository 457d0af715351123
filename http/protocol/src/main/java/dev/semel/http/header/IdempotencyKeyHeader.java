package dev.semel.http.header;

import java.util.List;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/** Reads the key out of its header: a Structured Field string, or the bare form that many clients send. */
public final class IdempotencyKeyHeader {

    /** A complaint about the client's mistake, safe to show to the client. */
    public static final class InvalidKeyException extends Exception {

        private static final long serialVersionUID = 1L;

        private final String detail;
        private final boolean expired;

        public InvalidKeyException(String detail) {
            this(detail, false);
        }

        /** @param expired whether nothing is wrong with the key but its age */
        public InvalidKeyException(String detail, boolean expired) {
            super(detail, null, false, false);
            this.detail = detail;
            this.expired = expired;
        }

        public boolean expired() {
            return expired;
        }

        public String detail() {
            return detail;
        }
    }

    /** What a key without quotes may contain beside letters and digits. */
    private static final String BARE_SIGNS = "._:/+=~-";

    /** Quotes and every character escaped, and some room for parameters: more is not worth parsing. */
    private static final int MAX_FIELD = 4096;

    private IdempotencyKeyHeader() {}

    /**
     * Reads a key from another place in a request, by the rules of the quoted form.
     *
     * @param where the name of this place in messages
     */
    public static String require(String where, String key, int maxLength) throws InvalidKeyException {
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) < ' ' || key.charAt(i) > '~') {
                throw new InvalidKeyException("The " + where + " may only contain printable ASCII characters.");
            }
        }
        return requireLength(where, key, maxLength);
    }

    private static String requireLength(String where, String key, int maxLength) throws InvalidKeyException {
        if (key.isEmpty()) {
            throw new InvalidKeyException("The " + where + " is empty; send a value that names the operation.");
        }
        if (key.length() > maxLength) {
            throw new InvalidKeyException(
                    "The key has " + key.length() + " characters; at most " + maxLength + " are allowed.");
        }
        return key;
    }

    public static String parse(String name, List<String> lines, boolean strict, int maxLength)
            throws InvalidKeyException {
        if (lines.size() != 1) {
            throw new InvalidKeyException(
                    "There are " + lines.size() + " " + name + " header lines; send exactly one.");
        }
        String field = lines.get(0).strip();
        if (field.length() > MAX_FIELD) {
            throw new InvalidKeyException("The " + name + " header is longer than " + MAX_FIELD + " characters.");
        }
        String key = field.startsWith("\"") || strict ? quoted(name, field) : bare(name, field);
        return requireLength(name + " header", key, maxLength);
    }

    private static String quoted(String name, String field) throws InvalidKeyException {
        try {
            if (Parser.parseItem(field) instanceof StringItem item) {
                return item.get();
            }
            throw new InvalidKeyException("The " + name + " header must be a quoted string, for example \"8e03978e\".");
        } catch (ParseException e) {
            throw new InvalidKeyException("The " + name
                    + " header is not a valid Structured Field string (RFC 9651): double quotes around printable ASCII,"
                    + " with only \\\" and \\\\ escaped.");
        }
    }

    private static String bare(String name, String field) throws InvalidKeyException {
        for (int i = 0; i < field.length(); i++) {
            if (!isBare(field.charAt(i))) {
                throw new InvalidKeyException(
                        "Without quotes, the " + name + " header may only contain letters, digits and . _ : / + = ~ -");
            }
        }
        return field;
    }

    private static boolean isBare(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || BARE_SIGNS.indexOf(c) >= 0;
    }
}
