package dev.semel.dynamodb;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.KeyDigest;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.spi.RetentionText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The head item of a key, as it was read. */
record Item(Map<String, AttributeValue> attributes) {

    KeyDigest digest() {
        return KeyDigest.parse(get(Attributes.KEY).s());
    }

    State state() {
        return State.of(get(Attributes.STATE).s());
    }

    boolean isOwnedBy(UUID nonce) {
        AttributeValue value = attributes.get(Attributes.NONCE);
        return value != null && Values.nonce(value).equals(nonce);
    }

    long token() {
        return number(Attributes.TOKEN);
    }

    int attempt() {
        return (int) number(Attributes.ATTEMPT);
    }

    long revision() {
        return number(Attributes.REVISION);
    }

    Fingerprint fingerprint() {
        return Fingerprint.fromBytes(get(Attributes.FINGERPRINT).b().asByteArray());
    }

    Instant time(String attribute) {
        return Values.time(get(attribute));
    }

    Lease lease() {
        return new Lease(digest(), Values.nonce(get(Attributes.NONCE)), token(), attempt());
    }

    boolean isFree(Moment moment) {
        return state() == State.FORGOTTEN || (state().isSettled() && moment.hasPassed(time(Attributes.FREE)));
    }

    /**
     * Whether nobody is to see the key any more: it was forgotten, or DynamoDB may have begun to remove it, in any order
     * of its items, by a clock that may be ahead of this one.
     */
    boolean isGone(Moment moment) {
        return state() == State.FORGOTTEN
                || (attributes.containsKey(Attributes.GONE_AFTER)
                        && moment.mayHavePassed(Instant.ofEpochSecond(number(Attributes.GONE_AFTER))));
    }

    /** The state as people see it; a forgotten key has none. */
    KeyState keyState(Moment moment) {
        return switch (state()) {
            case PENDING -> moment.hasPassed(time(Attributes.UNTIL)) ? KeyState.LAPSED : KeyState.PENDING;
            case UNKNOWN -> KeyState.UNKNOWN;
            case SUCCEEDED -> moment.hasPassed(time(Attributes.EXPIRES)) ? KeyState.EXPIRED : KeyState.SUCCEEDED;
            case FAILED -> moment.hasPassed(time(Attributes.EXPIRES)) ? KeyState.EXPIRED : KeyState.FAILED;
            case FORGOTTEN -> throw new IllegalStateException("a forgotten key has no state");
        };
    }

    Map<String, byte[]> steps() {
        Map<String, byte[]> steps = new LinkedHashMap<>();
        get(Attributes.STEPS)
                .m()
                .forEach((name, result) -> steps.put(name, result.b().asByteArray()));
        return steps;
    }

    @Nullable
    String traceId() {
        return textOrNull(Attributes.TRACE);
    }

    Retention retention() {
        return RetentionText.decode(textOrNull(Attributes.RETENTION));
    }

    private @Nullable String textOrNull(String attribute) {
        AttributeValue value = attributes.get(attribute);
        return value == null ? null : value.s();
    }

    private List<HistoryEntry> history() {
        return get(Attributes.HISTORY).l().stream().map(History::read).toList();
    }

    KeyRecord toRecord(@Nullable Outcome outcome, Moment moment) {
        boolean settled = state().isSettled();
        return new KeyRecord(
                new Key(Namespace.parse(text(Attributes.NAMESPACE)), text(Attributes.SCOPE), text(Attributes.VALUE)),
                text(Attributes.OPERATION),
                keyState(moment),
                attempt(),
                token(),
                fingerprint(),
                time(Attributes.CLAIMED),
                time(Attributes.UNTIL),
                retention(),
                settled ? time(Attributes.SETTLED) : null,
                settled ? time(Attributes.EXPIRES) : null,
                outcome,
                steps(),
                history(),
                traceId());
    }

    String text(String attribute) {
        return get(attribute).s();
    }

    long number(String attribute) {
        return Long.parseLong(get(attribute).n());
    }

    AttributeValue get(String attribute) {
        AttributeValue value = attributes.get(attribute);
        if (value == null) {
            throw new IllegalArgumentException("the item of a key lacks its attribute " + attribute);
        }
        return value;
    }
}
