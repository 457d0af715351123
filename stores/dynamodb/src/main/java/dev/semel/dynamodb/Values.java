package dev.semel.dynamodb;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attribute values, and the forms in which times and nonces are kept in them. */
final class Values {

    private Values() {}

    static AttributeValue text(String text) {
        return AttributeValue.fromS(text);
    }

    static AttributeValue number(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    static AttributeValue bytes(byte[] bytes) {
        return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes));
    }

    static AttributeValue nonce(UUID nonce) {
        return bytes(ByteBuffer.allocate(16)
                .putLong(nonce.getMostSignificantBits())
                .putLong(nonce.getLeastSignificantBits())
                .array());
    }

    /** Puts a text that there may be. */
    static void put(Map<String, AttributeValue> attributes, String attribute, @Nullable String text) {
        if (text != null) {
            attributes.put(attribute, text(text));
        }
    }

    static UUID nonce(AttributeValue value) {
        ByteBuffer bytes = ByteBuffer.wrap(value.b().asByteArrayUnsafe());
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    static AttributeValue time(Instant time) {
        return number(micros(time));
    }

    static Instant time(AttributeValue value) {
        return Instant.EPOCH.plus(Long.parseLong(value.n()), ChronoUnit.MICROS);
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
