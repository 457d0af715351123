package dev.semel.http.json;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the canonical form of the JSON documents that most requests have, without building a tree: an object whose members
 * are printable ASCII strings without escapes, short integers, or literals. Every other document is left to
 * {@link CanonicalJson}, also one that is wrong.
 */
final class FlatJson {

    private static final int MAX_MEMBERS = 64;
    private static final int USUAL_MEMBERS = 8;

    /** What is noted of a member: where its name begins and ends, with the quotes, and where its value does. */
    private static final int MARKS = 4;

    private static final int NAME_END = 1;
    private static final int VALUE = 2;
    private static final int VALUE_END = 3;

    private final byte[] json;
    private int[] marks = new int[USUAL_MEMBERS * MARKS];
    private int members;
    private int at;

    private FlatJson(byte[] json) {
        this.json = json;
    }

    /** The canonical form; {@code null} if this is not such a document. */
    static byte @Nullable [] canonical(byte[] json) {
        FlatJson flat = new FlatJson(json);
        return flat.read() ? flat.write() : null;
    }

    private boolean read() {
        if (next() != '{') {
            return false;
        }
        at++;
        if (next() == '}') {
            at++;
            return isAtEnd();
        }
        while (member()) {
            int separator = next();
            at++;
            if (separator == '}') {
                return isAtEnd();
            }
            if (separator != ',' || next() != '"') {
                return false;
            }
        }
        return false;
    }

    private boolean member() {
        if (members == MAX_MEMBERS || next() != '"') {
            return false;
        }
        int name = at;
        if (!string()) {
            return false;
        }
        int nameEnd = at;
        if (next() != ':') {
            return false;
        }
        at++;
        int first = next();
        int value = at;
        if (!(first == '"' ? string() : number(first) || literal("true") || literal("false") || literal("null"))) {
            return false;
        }
        return insert(name, nameEnd, value);
    }

    /** Keeps the members in the order of their names; {@code false} if there is one of this name. */
    private boolean insert(int name, int nameEnd, int value) {
        if (members * MARKS == marks.length) {
            marks = Arrays.copyOf(marks, 2 * marks.length);
        }
        int place = members;
        while (place > 0) {
            int before = (place - 1) * MARKS;
            int order =
                    Arrays.compare(json, marks[before] + 1, marks[before + NAME_END] - 1, json, name + 1, nameEnd - 1);
            if (order == 0) {
                return false;
            }
            if (order < 0) {
                break;
            }
            place--;
        }
        int mark = place * MARKS;
        System.arraycopy(marks, mark, marks, mark + MARKS, (members - place) * MARKS);
        marks[mark] = name;
        marks[mark + NAME_END] = nameEnd;
        marks[mark + VALUE] = value;
        marks[mark + VALUE_END] = at;
        members++;
        return true;
    }

    /** The byte at the next place that is not white space; negative at the end. */
    private int next() {
        while (at < json.length) {
            byte b = json[at];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b;
            }
            at++;
        }
        return -1;
    }

    private boolean isAtEnd() {
        return next() < 0 && at == json.length;
    }

    /** Passes over a string that stands for itself. */
    private boolean string() {
        for (int i = at + 1; i < json.length; i++) {
            byte b = json[i];
            if (b == '"') {
                at = i + 1;
                return true;
            }
            // A negative byte is a part of a character that is not ASCII.
            if (b < ' ' || b == '\\') {
                return false;
            }
        }
        return false;
    }

    /** Passes over an integer that every double holds, and that is written as its canonical form is. */
    private boolean number(int first) {
        int end = at;
        while (end < json.length && json[end] >= '0' && json[end] <= '9') {
            end++;
        }
        int digits = end - at;
        if (digits == 0 || digits > CanonicalJson.EXACT_DIGITS || (first == '0' && digits > 1) || !isDelimiter(end)) {
            return false;
        }
        at = end;
        return true;
    }

    private boolean literal(String literal) {
        int end = at + literal.length();
        if (end > json.length) {
            return false;
        }
        for (int i = 0; i < literal.length(); i++) {
            if (json[at + i] != literal.charAt(i)) {
                return false;
            }
        }
        if (!isDelimiter(end)) {
            return false;
        }
        at = end;
        return true;
    }

    private boolean isDelimiter(int place) {
        return place < json.length && " \n\r\t,}".indexOf(json[place]) >= 0;
    }

    private byte[] write() {
        int length = 2 + Math.max(0, members - 1);
        for (int mark = 0; mark < members * MARKS; mark += MARKS) {
            length += marks[mark + NAME_END] - marks[mark] + 1 + marks[mark + VALUE_END] - marks[mark + VALUE];
        }
        byte[] out = new byte[length];
        int to = 0;
        out[to++] = '{';
        for (int mark = 0; mark < members * MARKS; mark += MARKS) {
            if (mark > 0) {
                out[to++] = ',';
            }
            to = copy(marks[mark], marks[mark + NAME_END], out, to);
            out[to++] = ':';
            to = copy(marks[mark + VALUE], marks[mark + VALUE_END], out, to);
        }
        out[to] = '}';
        return out;
    }

    private int copy(int from, int end, byte[] out, int to) {
        System.arraycopy(json, from, out, to, end - from);
        return to + end - from;
    }
}
