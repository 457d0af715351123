package dev.semel.gateway.framing;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The framing of the upstream's responses. */
final class ResponseFraming extends Framing {

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] [1-9][0-9][0-9]( .*)?");

    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private int awaited;
    private boolean toHead;
    private int status;
    private boolean coded;

    ResponseFraming(int maxHead) {
        super(maxHead);
    }

    /** Notes that a request is sent. */
    void sent(boolean head) {
        awaited++;
        toHead = head;
    }

    /** Whether the last response said that its body has a transfer coding. */
    boolean declaredCoding() {
        return coded;
    }

    @Override
    void begins() {
        if (awaited == 0) {
            throw new FramingException("the upstream sent more than its response");
        }
    }

    @Override
    void startLine(String text) {
        if (!STATUS_LINE.matcher(text).matches()) {
            throw new FramingException("the upstream answered with something that is no response");
        }
        status = Integer.parseInt(text.substring(9, 12));
    }

    @Override
    boolean checksEveryHeader() {
        return false;
    }

    @Override
    @Nullable
    Body bodyOf(Body declared) {
        coded = declared.coding() != null;
        if (declared.coding() != null && !declared.coding().equals("chunked")) {
            throw new FramingException(
                    "the upstream used the transfer coding " + declared.coding() + ", which was not requested");
        }
        if (status == SWITCHING_PROTOCOLS) {
            return null;
        }
        if (toHead || status < OK || status == NO_CONTENT || status == NOT_MODIFIED) {
            return Body.NONE;
        }
        return declared.length() == null && declared.coding() == null ? null : declared;
    }

    @Override
    void ended() {
        if (status >= OK) {
            awaited--;
        }
    }
}
