package dev.semel.gateway.framing;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where each message of one direction of an HTTP/1.1 connection ends (RFC 9112, 6), from its bytes alone. What
 * two readers may understand differently is a {@link FramingException}. The bytes stay as they are.
 */
abstract class Framing {

    private static final String LENGTH = "content-length";
    private static final String CODING = "transfer-encoding";
    private static final int MAX_CHUNK_LINE = 1024;
    private static final int MAX_DIGITS = 15;

    private enum Part {
        HEAD,
        LENGTH,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        UNCHECKED
    }

    /** How the body of a message is delimited, as far as its head says so. */
    record Body(@Nullable Long length, @Nullable String coding) {

        static final Body NONE = new Body(0L, null);
    }

    private final int maxHead;
    private Part part = Part.HEAD;
    private byte[] line = new byte[256];
    private int lineLength;
    private int lines;
    private int headBytes;
    private long left;
    private @Nullable Long length;
    private @Nullable String coding;
    private boolean lastDelimits;

    Framing(int maxHead) {
        this.maxHead = maxHead;
    }

    /** Called before the first byte of a message. */
    abstract void begins();

    abstract void startLine(String text);

    /** Whether a header that has nothing to do with the framing must keep to the rules too. */
    abstract boolean checksEveryHeader();

    /** The body of a message with this head; {@code null} if the rest of the connection is not checked. */
    abstract @Nullable Body bodyOf(Body declared);

    /** Called after the last byte of a message. */
    abstract void ended();

    /** Goes on with the next bytes. */
    final void take(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at < end && part != Part.UNCHECKED) {
            if (part == Part.LENGTH || part == Part.CHUNK) {
                int taken = (int) Math.min(left, end - at);
                at += taken;
                left -= taken;
                if (left == 0) {
                    bodyPartEnded();
                }
            } else {
                if (part == Part.HEAD && lines == 0 && lineLength == 0) {
                    begins();
                }
                at = part == Part.UNCHECKED ? end : takeLine(bytes, at, end);
            }
        }
    }

    /** From here on, nothing is checked: the connection is no HTTP any more, or ends with this message. */
    final void stopChecking() {
        part = Part.UNCHECKED;
    }

    private void bodyPartEnded() {
        if (part == Part.CHUNK) {
            part = Part.CHUNK_END;
        } else {
            next();
        }
    }

    private void next() {
        part = Part.HEAD;
        lines = 0;
        headBytes = 0;
        length = null;
        coding = null;
        ended();
    }

    private int takeLine(ByteBuf bytes, int at, int end) {
        int feed = bytes.indexOf(at, end, (byte) '\n');
        int upTo = feed < 0 ? end : feed;
        headBytes += upTo - at;
        if (headBytes > maxHead) {
            throw new FramingException("its head or its trailers are too long", true);
        }
        if (lineLength + upTo - at > line.length) {
            line = Arrays.copyOf(line, Math.max(2 * line.length, lineLength + upTo - at));
        }
        bytes.getBytes(at, line, lineLength, upTo - at);
        lineLength += upTo - at;
        if (feed < 0) {
            return end;
        }
        if (lineLength == 0 || line[lineLength - 1] != '\r') {
            throw new FramingException("a line ends without a carriage return");
        }
        int complete = lineLength - 1;
        lineLength = 0;
        for (int i = 0; i < complete; i++) {
            if (line[i] == '\r' || line[i] == 0) {
                throw new FramingException("a line has a carriage return or a zero byte within");
            }
        }
        takeLine(complete);
        return feed + 1;
    }

    private void takeLine(int size) {
        switch (part) {
            case HEAD -> takeHeadLine(size);
            case CHUNK_SIZE -> takeChunkSize(text(size));
            case CHUNK_END -> {
                if (size != 0) {
                    throw new FramingException("a chunk is longer than its size");
                }
                headBytes = 0;
                part = Part.CHUNK_SIZE;
            }
            default -> {
                if (size == 0) {
                    next();
                } else if (framingHeader(size) != null) {
                    throw new FramingException("a trailer is about the framing");
                }
            }
        }
    }

    private String text(int size) {
        return new String(line, 0, size, StandardCharsets.ISO_8859_1);
    }

    private void takeHeadLine(int size) {
        if (lines == 0) {
            if (size > 0) {
                lines++;
                lastDelimits = false;
                startLine(text(size));
            }
        } else if (size > 0) {
            lines++;
            takeHeader(size);
        } else {
            headEnded();
        }
    }

    private void takeHeader(int size) {
        if (line[0] == ' ' || line[0] == '\t') {
            if (lastDelimits || checksEveryHeader()) {
                throw new FramingException("a header is folded over two lines");
            }
            return;
        }
        String name = framingHeader(size);
        lastDelimits = name != null;
        if (name == null) {
            return;
        }
        String value = trimmed(text(size).substring(name.length() + 1));
        if (name.equals(LENGTH)) {
            if (length != null || value.isEmpty() || value.length() > MAX_DIGITS || !isNumber(value)) {
                throw new FramingException("Content-Length is not one number");
            }
            length = Long.valueOf(value);
        } else {
            if (coding != null) {
                throw new FramingException("there are two headers Transfer-Encoding");
            }
            coding = value.toLowerCase(Locale.ROOT);
        }
    }

    /** The name of the header on this line, in lower case, if it is about the framing. */
    private @Nullable String framingHeader(int size) {
        int colon = 0;
        while (colon < size && line[colon] != ':') {
            colon++;
        }
        boolean clean = colon > 0 && colon < size;
        for (int i = 0; clean && i < colon; i++) {
            clean = line[i] > ' ' && line[i] < 0x7f;
        }
        if (!clean && checksEveryHeader()) {
            throw new FramingException("a header has no name, or a name with spaces");
        }
        if (clean && colon != LENGTH.length() && colon != CODING.length()) {
            return null;
        }
        String name = text(Math.min(colon, size)).toLowerCase(Locale.ROOT);
        String plain = name.strip();
        if (!plain.equals(LENGTH) && !plain.equals(CODING)) {
            return null;
        }
        if (!clean) {
            throw new FramingException("the name of a header that delimits the message has spaces");
        }
        return name;
    }

    private static String trimmed(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && (value.charAt(from) == ' ' || value.charAt(from) == '\t')) {
            from++;
        }
        while (to > from && (value.charAt(to - 1) == ' ' || value.charAt(to - 1) == '\t')) {
            to--;
        }
        return value.substring(from, to);
    }

    private static boolean isNumber(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private void headEnded() {
        if (length != null && coding != null) {
            throw new FramingException("there are both Content-Length and Transfer-Encoding");
        }
        Body body = bodyOf(new Body(length, coding));
        headBytes = 0;
        if (body == null) {
            stopChecking();
        } else if (body.coding() != null) {
            part = Part.CHUNK_SIZE;
        } else {
            left = body.length() == null ? 0 : body.length();
            part = Part.LENGTH;
            if (left == 0) {
                next();
            }
        }
    }

    private void takeChunkSize(String text) {
        int digits = 0;
        while (digits < text.length() && Character.digit(text.charAt(digits), 16) >= 0 && text.charAt(digits) < 0x7f) {
            digits++;
        }
        String rest = text.substring(digits);
        if (digits == 0
                || digits > MAX_DIGITS
                || text.length() > MAX_CHUNK_LINE
                || !(rest.isEmpty() || rest.startsWith(";"))) {
            throw new FramingException("the size of a chunk is not a number");
        }
        left = Long.parseLong(text.substring(0, digits), 16);
        part = left == 0 ? Part.TRAILERS : Part.CHUNK;
    }
}
