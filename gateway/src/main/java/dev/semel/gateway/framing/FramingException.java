package dev.semel.gateway.framing;

import io.netty.handler.codec.DecoderException;

/** Means that the end of a message is ambiguous. */
public final class FramingException extends DecoderException {

    private static final long serialVersionUID = 1L;

    private final boolean tooLong;

    FramingException(String message) {
        this(message, false);
    }

    FramingException(String message, boolean tooLong) {
        super(message);
        this.tooLong = tooLong;
    }

    boolean isTooLong() {
        return tooLong;
    }
}
