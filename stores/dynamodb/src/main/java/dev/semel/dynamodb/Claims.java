package dev.semel.dynamodb;

import dev.semel.StoreUnavailableException;
import dev.semel.dynamodb.Table.Written;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Lease;
import dev.semel.spi.RetentionText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Claims keys. The first request puts the item on the condition that there is none; when there is one, the refusal
 * brings it along, and mostly that is the answer. Only to take over or to reuse a key a second request replaces it, on
 * the condition that nobody has written to it since.
 */
final class Claims {

    /** Each try fails because somebody else has succeeded, so there are no more tries than rivals. */
    private static final int MAX_TRIES = 50;

    private final Table table;
    private final Outcomes outcomes;

    Claims(Table table, Outcomes outcomes) {
        this.table = table;
        this.outcomes = outcomes;
    }

    CompletionStage<Claim> claim(ClaimRequest request, Moment moment) {
        return claimNew(request, moment, MAX_TRIES);
    }

    private CompletionStage<Claim> claimNew(ClaimRequest request, Moment moment, int tries) {
        long token = Values.micros(moment.now());
        return table.putNew(claimed(request, token, moment))
                .thenCompose(written -> written.done()
                        ? acquired(request, token, 1, Map.of())
                        : claimFound(request, moment, written.found(), tries));
    }

    private CompletionStage<Claim> claimFound(ClaimRequest request, Moment moment, @Nullable Item found, int tries) {
        if (tries == 0) {
            return CompletableFuture.failedFuture(new StoreUnavailableException(
                    "key " + request.key() + " changed " + MAX_TRIES + " times while it was claimed", null));
        }
        if (found == null) {
            // It was there a moment ago, and DynamoDB has removed it since.
            return claimNew(request, moment, tries - 1);
        }
        if (found.isFree(moment)) {
            long token = nextToken(found, moment);
            return table.replace(found, claimed(request, token, moment))
                    .thenCompose(written -> written.done()
                            ? acquired(request, token, 1, Map.of())
                            : claimFound(request, moment, written.found(), tries - 1));
        }
        State state = found.state();
        boolean alike = found.fingerprint().matches(request.fingerprint());
        if (state == State.PENDING && found.isOwnedBy(request.nonce())) {
            return CompletableFuture.completedFuture(new Claim.Acquired(found.lease(), found.steps()));
        }
        boolean lapsed = state == State.PENDING && moment.hasPassed(found.time(Attributes.UNTIL));
        if (lapsed && alike && request.takeOver()) {
            return takeOver(request, moment, found, tries);
        }
        return refusal(found, alike, lapsed, moment);
    }

    private CompletionStage<Claim> takeOver(ClaimRequest request, Moment moment, Item found, int tries) {
        long token = nextToken(found, moment);
        int attempt = found.attempt() + 1;
        Map<String, AttributeValue> attributes = claimed(request, token, moment);
        attributes.put(Attributes.ATTEMPT, Values.number(attempt));
        attributes.put(Attributes.STEPS, found.get(Attributes.STEPS));
        attributes.put(Attributes.STEP_BYTES, found.get(Attributes.STEP_BYTES));
        List<AttributeValue> history =
                new ArrayList<>(found.get(Attributes.HISTORY).l());
        history.add(History.entry(
                moment.now(),
                found.attempt(),
                found.token(),
                "taken over",
                "lease lapsed at " + found.time(Attributes.UNTIL)));
        attributes.put(Attributes.HISTORY, History.of(history));
        return table.replace(found, attributes)
                .thenCompose((Written written) -> written.done()
                        ? acquired(request, token, attempt, found.steps())
                        : claimFound(request, moment, written.found(), tries - 1));
    }

    private CompletionStage<Claim> refusal(Item found, boolean alike, boolean lapsed, Moment moment) {
        State state = found.state();
        if (state.isSettled() && moment.hasPassed(found.time(Attributes.EXPIRES))) {
            return CompletableFuture.completedFuture(new Claim.Expired());
        }
        if (!alike) {
            return CompletableFuture.completedFuture(new Claim.Mismatch());
        }
        if (state.isSettled()) {
            return outcomes.read(found)
                    .thenApply(outcome -> new Claim.Settled(
                            outcome,
                            found.time(Attributes.SETTLED),
                            found.time(Attributes.EXPIRES),
                            found.token(),
                            found.traceId()));
        }
        return CompletableFuture.completedFuture(
                state == State.UNKNOWN || lapsed
                        ? new Claim.Unknown()
                        : new Claim.InFlight(
                                moment.since(found.time(Attributes.CLAIMED)),
                                moment.left(found.time(Attributes.UNTIL))));
    }

    private static long nextToken(Item found, Moment moment) {
        return Math.max(Values.micros(moment.now()), found.token() + 1);
    }

    private static CompletionStage<Claim> acquired(
            ClaimRequest request, long token, int attempt, Map<String, byte[]> steps) {
        Lease lease = new Lease(request.key().digest(), request.nonce(), token, attempt);
        return CompletableFuture.completedFuture(new Claim.Acquired(lease, steps));
    }

    private static Map<String, AttributeValue> claimed(ClaimRequest request, long token, Moment moment) {
        Map<String, AttributeValue> attributes =
                new HashMap<>(Keys.head(request.key().digest()));
        attributes.put(Attributes.OPEN, Values.text(Keys.openShard(request.key().digest())));
        // Unlike a count from 1, this differs from that of an earlier item of the key that was removed.
        attributes.put(Attributes.REVISION, Values.number(token));
        attributes.put(Attributes.STATE, Values.text(State.PENDING.letter()));
        attributes.put(Attributes.NONCE, Values.nonce(request.nonce()));
        attributes.put(Attributes.TOKEN, Values.number(token));
        attributes.put(Attributes.ATTEMPT, Values.number(1));
        attributes.put(
                Attributes.FINGERPRINT, Values.bytes(request.fingerprint().bytes()));
        attributes.put(Attributes.CLAIMED, Values.time(moment.now()));
        attributes.put(Attributes.UNTIL, Values.time(moment.now().plus(request.lease())));
        attributes.put(
                Attributes.NAMESPACE, Values.text(request.key().namespace().toString()));
        attributes.put(Attributes.SCOPE, Values.text(request.key().scope()));
        attributes.put(Attributes.VALUE, Values.text(request.key().value()));
        attributes.put(Attributes.OPERATION, Values.text(request.operation()));
        Values.put(attributes, Attributes.TRACE, request.traceId());
        Values.put(attributes, Attributes.RETENTION, RetentionText.encode(request.retention()));
        attributes.put(Attributes.STEPS, AttributeValue.fromM(Map.of()));
        attributes.put(Attributes.STEP_BYTES, Values.number(0));
        attributes.put(Attributes.HISTORY, AttributeValue.fromL(List.of()));
        return attributes;
    }
}
