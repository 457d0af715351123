package dev.semel.redis;

import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.OutcomeBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The arguments of a function in Redis, in their order. */
final class Args {

    private static final byte[] YES = {'1'};
    private static final byte[] NO = {'0'};

    private final List<byte[]> values = new ArrayList<>(10);

    Args add(byte[] value) {
        values.add(value);
        return this;
    }

    Args add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    Args add(long number) {
        return add(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    Args add(boolean flag) {
        return add(flag ? YES : NO);
    }

    Args add(Duration duration) {
        return add(Micros.of(duration));
    }

    Args add(UUID nonce) {
        return add(ByteBuffer.allocate(16)
                .putLong(nonce.getMostSignificantBits())
                .putLong(nonce.getLeastSignificantBits())
                .array());
    }

    /** The five arguments of an outcome: result, outcome, and the ends of its retention. */
    Args add(Outcome outcome, Retention retention) {
        return add(outcome.isSuccess() ? "s" : "f")
                .add(OutcomeBytes.encode(outcome))
                .add(retention.active())
                .add(retention.active().plus(retention.tombstone()))
                .add(retention.total());
    }

    byte[][] toArray() {
        return values.toArray(byte[][]::new);
    }
}
