package dev.semel.dynamodb;

import dev.semel.StoreException;
import dev.semel.dynamodb.Table.Written;
import dev.semel.spi.Lease;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Records steps in the head item, where there is room for some hundred kilobytes of them. */
final class Steps {

    /** The head item has 400 KB for the steps, an outcome and the history. */
    private static final int MAX_BYTES = 192 << 10;

    private Steps() {}

    static Change record(Lease lease, String name, byte[] result) {
        int size = size(name, result.length);
        return Change.when(
                        "#nonce = :nonce AND #token = :token AND #state = :pending AND attribute_not_exists(#steps.#step)"
                                + " AND #stepBytes <= :room")
                .naming("step", name)
                .with("nonce", Values.nonce(lease.nonce()))
                .with("token", Values.number(lease.token()))
                .with("pending", Values.text(State.PENDING.letter()))
                .with("room", Values.number(MAX_BYTES - size))
                .setTo("#steps.#step = :result")
                .with("result", Values.bytes(result))
                .setTo("#stepBytes = #stepBytes + :size")
                .with("size", Values.number(size));
    }

    /** Whether the step of an attempt that owns its key is there already; if it was refused for its size, says so. */
    static void requireRecorded(Written refused, String name, int resultLength) {
        Item found = refused.found();
        AttributeValue steps = found == null ? null : found.attributes().get(Attributes.STEPS);
        if (steps == null || !steps.m().containsKey(name)) {
            throw new StoreException(
                    "no room for a step result of " + resultLength + " bytes: the steps of one key may have "
                            + MAX_BYTES + " bytes in DynamoDB; keep large results elsewhere, and record where",
                    null);
        }
    }

    /** Names are at most four bytes per character in UTF-8, which is close enough. */
    static int size(String name, int resultLength) {
        return name.length() * 4 + resultLength;
    }
}
