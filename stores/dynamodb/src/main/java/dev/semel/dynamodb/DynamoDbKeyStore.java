package dev.semel.dynamodb;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.StoreException;
import dev.semel.dynamodb.Table.Written;
import dev.semel.spi.CallsUnderWay;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import dev.semel.spi.StoreStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A store in a table of Amazon DynamoDB. Every write is conditional, and every read strongly consistent.
 *
 * <p>DynamoDB has no clock that a condition could use, so here the clocks of the application's machines decide leases
 * and expiry. They may differ by the {@linkplain DynamoDbKeyStoreBuilder#maxClockSkew maximal skew}: a lease is taken
 * over, and a key expires, only when its time has passed by that much. That there is one owner, and that an attempt that
 * lost its lease cannot write, does not depend on any clock.
 *
 * <p>What has outlived its retention is removed by DynamoDB itself (time to live), at no cost and some time later;
 * nothing depends on when.
 */
public final class DynamoDbKeyStore implements KeyStore, Inspecting, StepRecording, Importing {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
    private static final int MAX_TRIES = 50;

    private final Table table;
    private final Outcomes outcomes;
    private final Claims claims;
    private final Pages pages;
    private final Survey survey;
    private final Imports imports;
    private final Clock clock;
    private final @Nullable DynamoDbAsyncClient ownClient;
    private final CallsUnderWay underWay = new CallsUnderWay("the store in DynamoDB", Failures::wrap);

    DynamoDbKeyStore(Table table, Clock clock, @Nullable DynamoDbAsyncClient ownClient) {
        this.table = table;
        this.outcomes = new Outcomes(table);
        this.claims = new Claims(table, outcomes);
        this.pages = new Pages(table);
        this.survey = new Survey(table, pages, clock::moment);
        this.imports = new Imports(table, outcomes);
        this.clock = clock;
        this.ownClient = ownClient;
    }

    /**
     * Connects to the table that a URL such as {@code dynamodb:semel?region=eu-central-1} names. Its query may hold
     * {@code region}, {@code endpoint}, {@code create=true} and {@code maxClockSkew} in milliseconds. Credentials, and a
     * region that it leaves out, are found as the AWS SDK always finds them.
     */
    public static DynamoDbKeyStore connect(String url) {
        return DynamoDbUrl.parse(url).builder().build();
    }

    /** A store that uses this client, and leaves it to the caller to close it. */
    public static DynamoDbKeyStoreBuilder builder(DynamoDbAsyncClient client) {
        return new DynamoDbKeyStoreBuilder(client, false);
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        return underWay.track(() -> withGoodClock(request.key().digest(), moment -> claims.claim(request, moment)));
    }

    /**
     * Makes a call that a wrong clock must not make. Whether a clock that was found wrong has been put right only an
     * answer of DynamoDB tells, so there is a read of the key first then.
     */
    private <T> CompletionStage<T> withGoodClock(KeyDigest digest, Function<Moment, CompletionStage<T>> call) {
        if (!clock.foundWrong()) {
            return call.apply(clock.moment());
        }
        return table.read(digest).thenCompose(answered -> {
            clock.requireGood();
            return call.apply(clock.moment());
        });
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return underWay.track(() -> {
            Settlement settlement = Settlement.of(outcome, retention, clock.moment());
            return outcomes.write(lease.digest(), outcome, settlement.goneAfter())
                    .thenCompose(stored -> table.change(
                            lease.digest(), settlement.addTo(ifUnsettled(lease)).set(stored)))
                    .thenApply(written -> written.done() || isOwned(written, lease, State::isSettled));
        });
    }

    @Override
    public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        return underWay.track(() -> Stages.all(
                        renewals.stream().map(this::renew).toList())
                .thenApply(held -> held.stream().flatMap(Optional::stream).collect(Collectors.toSet())));
    }

    private CompletionStage<Optional<Lease>> renew(Renewal renewal) {
        Lease lease = renewal.lease();
        Change change = Change.ifOwned(lease, State.PENDING, State.PENDING)
                .set(Attributes.UNTIL, Values.time(clock.moment().now().plus(renewal.duration())));
        return table.change(lease.digest(), change)
                .thenApply(written -> written.done() ? Optional.of(lease) : Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> release(Lease lease) {
        return underWay.track(
                () -> table.change(lease.digest(), forget(ifUnsettled(lease))).thenApply(Written::done));
    }

    @Override
    public CompletionStage<Boolean> abandon(Lease lease) {
        return underWay.track(() -> {
            Change change = Change.ifOwned(lease, State.PENDING, State.PENDING)
                    .set(Attributes.STATE, Values.text(State.UNKNOWN.letter()))
                    .note(History.entry(
                            clock.moment().now(),
                            lease.attempt(),
                            lease.token(),
                            "marked unknown",
                            "nobody can tell what happened"));
            return table.change(lease.digest(), change)
                    .thenApply(written -> written.done() || isOwned(written, lease, state -> state == State.UNKNOWN));
        });
    }

    @Override
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return underWay.track(() -> table.change(lease.digest(), Steps.record(lease, name, result))
                .thenApply(written -> {
                    if (written.done()) {
                        return true;
                    }
                    if (!isOwned(written, lease, state -> state == State.PENDING)) {
                        return false;
                    }
                    Steps.requireRecorded(written, name, result.length);
                    return true;
                }));
    }

    @Override
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        return underWay.track(() -> resolve(digest, token, resolution, reason, MAX_TRIES));
    }

    private CompletionStage<Boolean> resolve(
            KeyDigest digest, long token, Resolution resolution, String reason, int tries) {
        return table.read(digest).thenCompose(found -> {
            Moment moment = clock.moment();
            if (found.isEmpty() || found.get().token() != token || !isResolvable(found.get(), moment)) {
                return CompletableFuture.completedFuture(false);
            }
            Item item = found.get();
            return decide(item, resolution, reason, moment)
                    .thenCompose(change -> table.change(digest, change))
                    .thenCompose(written -> {
                        if (written.done()) {
                            return CompletableFuture.completedFuture(true);
                        }
                        return tries == 0
                                ? CompletableFuture.failedFuture(new StoreException(
                                        "key " + digest + " kept changing while it was decided over", null))
                                : resolve(digest, token, resolution, reason, tries - 1);
                    });
        });
    }

    private static boolean isResolvable(Item item, Moment moment) {
        return item.state() == State.UNKNOWN
                || (item.state() == State.PENDING && moment.hasPassed(item.time(Attributes.UNTIL)));
    }

    private CompletionStage<Change> decide(Item item, Resolution resolution, String reason, Moment moment) {
        Change change = Change.ifUnchanged(item);
        if (resolution instanceof Resolution.Settle settle) {
            Settlement settlement = Settlement.of(settle.outcome(), item.retention(), moment);
            // Another nonce, so that the attempt that owned the key can no longer write to it.
            settlement
                    .addTo(change)
                    .set(Attributes.NONCE, Values.nonce(UUID.randomUUID()))
                    .note(History.entry(moment.now(), item.attempt(), item.token(), "resolved", reason));
            return outcomes.write(item.digest(), settle.outcome(), settlement.goneAfter())
                    .thenApply(change::set);
        }
        if (resolution instanceof Resolution.Forget) {
            return CompletableFuture.completedFuture(forget(change));
        }
        if (item.state() == State.PENDING) {
            change.set(Attributes.STATE, Values.text(State.UNKNOWN.letter()))
                    .note(History.entry(moment.now(), item.attempt(), item.token(), "marked unknown", reason));
        }
        return CompletableFuture.completedFuture(change);
    }

    private static Change ifUnsettled(Lease lease) {
        return Change.ifOwned(lease, State.PENDING, State.UNKNOWN);
    }

    /** Leaves nothing of the key but its token, for as long as another machine's clock may be behind. */
    private Change forget(Change change) {
        Moment moment = clock.moment();
        return change.set(Attributes.STATE, Values.text(State.FORGOTTEN.letter()))
                .set(Attributes.GONE_AFTER, Values.number(Settlement.goneAfter(moment.now(), moment)))
                .remove(
                        Attributes.OPEN,
                        Attributes.NONCE,
                        Attributes.STEPS,
                        Attributes.STEP_BYTES,
                        Attributes.HISTORY,
                        Attributes.NAMESPACE,
                        Attributes.SCOPE,
                        Attributes.VALUE);
    }

    private static boolean isOwned(Written written, Lease lease, java.util.function.Predicate<State> state) {
        Item found = written.found();
        return found != null
                && found.isOwnedBy(lease.nonce())
                && found.token() == lease.token()
                && state.test(found.state());
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return underWay.track(() -> table.read(digest)
                .thenCompose(found -> found.map(item -> pages.toRecord(item, clock.moment()))
                        .orElse(CompletableFuture.completedFuture(Optional.empty()))));
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return underWay.track(() -> pages.page(query, clock.moment()));
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return underWay.track(survey::statistics);
    }

    @Override
    public CompletionStage<Instant> now() {
        return underWay.track(
                () -> CompletableFuture.completedFuture(clock.moment().now().minus(clock.maxClockSkew())));
    }

    @Override
    public CompletionStage<Boolean> importRecord(KeyRecord record, Instant asOf) {
        Importing.requireImportable(record);
        return underWay.track(
                () -> withGoodClock(record.key().digest(), moment -> imports.write(record, asOf, moment)));
    }

    /** Waits for the calls that are under way. The client is closed only if the store has made it itself. */
    @Override
    public void close() {
        underWay.close(CLOSE_LIMIT);
        if (ownClient != null) {
            ownClient.close();
        }
    }
}
