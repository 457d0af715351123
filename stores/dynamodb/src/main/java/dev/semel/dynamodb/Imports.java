package dev.semel.dynamodb;

import dev.semel.Outcome;
import dev.semel.StoreUnavailableException;
import dev.semel.dynamodb.Table.Written;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.RetentionText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Takes over records of other stores. */
final class Imports {

    private static final int MAX_TRIES = 50;

    private final Table table;
    private final Outcomes outcomes;

    Imports(Table table, Outcomes outcomes) {
        this.table = table;
        this.outcomes = outcomes;
    }

    CompletionStage<Boolean> write(KeyRecord record, Instant asOf, Moment moment) {
        Map<String, AttributeValue> item = item(record, Duration.between(asOf, moment.now()), moment.now());
        Outcome outcome = record.outcome();
        Instant removableAt = record.removableAt();
        if (outcome == null || removableAt == null) {
            return put(item, record, moment);
        }
        long goneAfter = Settlement.goneAfter(removableAt.plus(Duration.between(asOf, moment.now())), moment);
        item.put(Attributes.GONE_AFTER, Values.number(goneAfter));
        return outcomes.write(record.key().digest(), outcome, goneAfter).thenCompose(stored -> {
            item.putAll(stored);
            return put(item, record, moment);
        });
    }

    private CompletionStage<Boolean> put(Map<String, AttributeValue> item, KeyRecord record, Moment moment) {
        return table.putNew(item).thenCompose(written -> settle(written, item, record, moment, MAX_TRIES));
    }

    private CompletionStage<Boolean> settle(
            Written written, Map<String, AttributeValue> item, KeyRecord record, Moment moment, int tries) {
        Item found = written.found();
        if (written.done() || (found != null && isSame(found, record))) {
            return CompletableFuture.completedFuture(true);
        }
        if (tries == 0) {
            return CompletableFuture.failedFuture(new StoreUnavailableException(
                    "key " + record.key() + " changed " + MAX_TRIES + " times while it was imported", null));
        }
        if (found == null) {
            return table.putNew(item).thenCompose(again -> settle(again, item, record, moment, tries - 1));
        }
        return found.isFree(moment) && found.token() < record.token()
                ? table.replace(found, item).thenCompose(again -> settle(again, item, record, moment, tries - 1))
                : CompletableFuture.completedFuture(false);
    }

    private static boolean isSame(Item found, KeyRecord record) {
        return found.token() == record.token()
                && found.state() == state(record)
                && found.fingerprint().equals(record.fingerprint());
    }

    private static State state(KeyRecord record) {
        if (record.state() == KeyState.UNKNOWN) {
            return State.UNKNOWN;
        }
        return record.state() == KeyState.SUCCEEDED ? State.SUCCEEDED : State.FAILED;
    }

    private static Map<String, AttributeValue> item(KeyRecord record, Duration shift, Instant now) {
        Map<String, AttributeValue> item = new HashMap<>(Keys.head(record.key().digest()));
        if (record.state() == KeyState.UNKNOWN) {
            item.put(Attributes.OPEN, Values.text(Keys.openShard(record.key().digest())));
        }
        item.put(Attributes.REVISION, Values.time(now));
        item.put(Attributes.STATE, Values.text(state(record).letter()));
        item.put(Attributes.NONCE, Values.nonce(UUID.randomUUID()));
        item.put(Attributes.TOKEN, Values.number(record.token()));
        item.put(Attributes.ATTEMPT, Values.number(record.attempt()));
        item.put(Attributes.FINGERPRINT, Values.bytes(record.fingerprint().bytes()));
        item.put(Attributes.CLAIMED, Values.time(record.claimedAt().plus(shift)));
        item.put(Attributes.UNTIL, Values.time(record.leaseUntil().plus(shift)));
        putTime(item, Attributes.SETTLED, record.settledAt(), shift);
        putTime(item, Attributes.EXPIRES, record.expiresAt(), shift);
        putTime(item, Attributes.FREE, record.freeAt(), shift);
        item.put(Attributes.NAMESPACE, Values.text(record.key().namespace().toString()));
        item.put(Attributes.SCOPE, Values.text(record.key().scope()));
        item.put(Attributes.VALUE, Values.text(record.key().value()));
        item.put(Attributes.OPERATION, Values.text(record.operation()));
        Values.put(item, Attributes.TRACE, record.traceId());
        Values.put(item, Attributes.RETENTION, RetentionText.encode(record.retention()));
        Map<String, AttributeValue> steps = new HashMap<>();
        long bytes = 0;
        for (Map.Entry<String, byte[]> step : record.steps().entrySet()) {
            steps.put(step.getKey(), Values.bytes(step.getValue()));
            bytes += Steps.size(step.getKey(), step.getValue().length);
        }
        item.put(Attributes.STEPS, AttributeValue.fromM(steps));
        item.put(Attributes.STEP_BYTES, Values.number(bytes));
        item.put(
                Attributes.HISTORY,
                History.of(record.history().stream()
                        .map(entry ->
                                History.entry(entry.at(), entry.attempt(), entry.token(), entry.event(), entry.note()))
                        .toList()));
        return item;
    }

    private static void putTime(
            Map<String, AttributeValue> item, String attribute, @Nullable Instant time, Duration shift) {
        if (time != null) {
            item.put(attribute, Values.time(time.plus(shift)));
        }
    }
}
