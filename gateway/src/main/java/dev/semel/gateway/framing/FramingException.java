package dev.semel.gateway.framing;

import io.netty.handler.codec.DecoderException;

/** Says that nobody can be sure where a message ends. */
public final class FramingException extends DecoderException {

    private static final long serialVersionUID = 1L;

    FramingException(String message) {
        super(message);
    }
}
