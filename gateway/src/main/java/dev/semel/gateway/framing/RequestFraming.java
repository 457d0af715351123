package dev.semel.gateway.framing;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The framing of a client's requests. */
final class RequestFraming extends Framing {

    private final BooleanSupplier speaksHttp;
    private boolean since11;
    private int begun;

    /** @param speaksHttp whether the connection has not become a tunnel */
    RequestFraming(int maxHead, BooleanSupplier speaksHttp) {
        super(maxHead);
        this.speaksHttp = speaksHttp;
    }

    /** How many requests have begun. */
    int begun() {
        return begun;
    }

    @Override
    void begins() {
        if (!speaksHttp.getAsBoolean()) {
            stopChecking();
        }
    }

    @Override
    void startLine(String text) {
        begun++;
        since11 = text.endsWith(" HTTP/1.1");
    }

    @Override
    boolean checksEveryHeader() {
        return true;
    }

    @Override
    Body bodyOf(Body declared) {
        @Nullable String coding = declared.coding();
        if (coding == null) {
            return declared;
        }
        if (!since11) {
            throw new FramingException("HTTP/1.0 has no Transfer-Encoding");
        }
        if (!coding.equals("chunked")) {
            throw new FramingException("Transfer-Encoding is not chunked, which is the only one that this gateway has");
        }
        return declared;
    }

    @Override
    void ended() {}
}
