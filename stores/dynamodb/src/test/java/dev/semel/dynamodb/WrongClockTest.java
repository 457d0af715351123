package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Lease;
import dev.semel.spi.Resolution;
import dev.semel.spi.life.SharedClock;
import dev.semel.store.StoreException;
import dev.semel.testkit.SettableClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** A clock that goes wrong while the store is in use, and is put right. */
class WrongClockTest {

    private static final Duration SKEW = Duration.ofSeconds(2);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Retention RETENTION = Retention.of(Duration.ofMinutes(30));
    private static final Outcome DONE = Outcome.succeeded().payload("done").build();
    private static final Instant TRUTH = Instant.parse("2026-01-01T00:00:00Z");

    private final String table = LocalDynamoDb.newTable();
    private final AtomicReference<Duration> offset = new AtomicReference<>(Duration.ZERO);
    private final InstantSource clock = () -> Instant.now().plus(offset.get());

    @Test
    void aClockThatWasPutRightClaimsAgain() {
        DynamoDbKeyStore store = open(LocalDynamoDb.CLIENT, new SharedClock("DynamoDB", clock, SKEW));
        Lease lease = acquire(store, "first");
        for (Duration wrong : new Duration[] {HOUR, HOUR.negated()}) {
            offset.set(wrong);
            answer(store.release(lease));
            assertRefused(store);
            assertRefused(store);

            offset.set(Duration.ZERO);

            lease = acquire(store, "claimed after " + wrong);
        }
    }

    @Test
    void aClockThatIsSetBackIsNoticedByTheNextAnswer() {
        DynamoDbKeyStore store = open(LocalDynamoDb.CLIENT, new SharedClock("DynamoDB", clock, SKEW));
        Lease lease = acquire(store, "first");

        offset.set(HOUR.negated());
        answer(store.release(lease));

        assertRefused(store);
    }

    @Test
    void aWrongClockIsNoticedWhenTheStoreIsOpened() {
        answer(new Table(LocalDynamoDb.CLIENT, table, null).create());
        SharedClock guard = new SharedClock("DynamoDB", clock, SKEW);
        offset.set(HOUR);

        answer(new Table(LocalDynamoDb.CLIENT, table, guard).describe());

        assertWrong(guard);
    }

    /** The machine stands still between the request and whatever the program does next. */
    @Test
    void aPauseIsNotTakenForAClockThatIsAhead() {
        SharedClock guard = new SharedClock("DynamoDB", clock, SKEW);
        DynamoDbKeyStore store = open(pausingAfterEachRequest(), guard);

        acquire(store, "first");

        assertGood(guard);
    }

    /** The clock is behind by 1.5 s. What DynamoDB says of the time has whole seconds, so not every answer shows it. */
    @Test
    void anAnswerThatLeavesAKnownDifferencePossibleDoesNotClearIt() {
        SettableClock behind = SettableClock.at(TRUTH.minusMillis(1300));
        SharedClock guard = new SharedClock("DynamoDB", behind, SKEW);
        guard.watch().answered(inSeconds(TRUTH.plusMillis(200)), Duration.ofSeconds(1));
        assertWrong(guard);

        behind.advance(Duration.ofMillis(700));
        guard.watch().answered(inSeconds(TRUTH.plusMillis(900)), Duration.ofSeconds(1));
        assertWrong(guard);

        behind.set(TRUTH.plusMillis(900));
        guard.watch().answered(inSeconds(TRUTH.plusMillis(900)), Duration.ofSeconds(1));
        assertGood(guard);
    }

    @Test
    void aSlowAnswerDoesNotClearAKnownDifference() {
        SettableClock ahead = SettableClock.at(TRUTH.plusSeconds(3));
        SharedClock guard = new SharedClock("DynamoDB", ahead, SKEW);
        guard.watch().answered(inSeconds(TRUTH), Duration.ofSeconds(1));
        assertWrong(guard);

        SharedClock.Watch slow = guard.watch();
        ahead.advance(Duration.ofSeconds(10));
        slow.answered(inSeconds(TRUTH.plusSeconds(9)), Duration.ofSeconds(1));

        assertWrong(guard);
    }

    @Test
    void anAnswerToARequestOfBeforeTheClockWentWrongDoesNotClearIt() {
        SettableClock source = SettableClock.at(TRUTH);
        SharedClock guard = new SharedClock("DynamoDB", source, SKEW);
        SharedClock.Watch before = guard.watch();
        source.advance(HOUR);
        guard.watch().answered(inSeconds(TRUTH), Duration.ofSeconds(1));

        before.answered(inSeconds(TRUTH), Duration.ofSeconds(1));

        assertWrong(guard);
    }

    @Test
    void aLiveLeaseIsNotTakenOverByAClaimWhoseFirstAnswerShowsAWrongClock() {
        DynamoDbKeyStore owner = openOnTime();
        DynamoDbKeyStore other = open(LocalDynamoDb.CLIENT, new SharedClock("DynamoDB", clock, SKEW));
        Lease lease = acquire(owner, "held");
        offset.set(HOUR);

        assertRefused(other.claim(request("held", true)));

        assertThat(answer(owner.settle(lease, DONE, RETENTION))).isTrue();
    }

    @Test
    void aKeyIsNotResolvedByAMachineWhoseClockIsWrong() {
        DynamoDbKeyStore owner = openOnTime();
        DynamoDbKeyStore other = open(LocalDynamoDb.CLIENT, new SharedClock("DynamoDB", clock, SKEW));
        Lease lease = acquire(owner, "held");
        offset.set(HOUR);

        assertRefused(other.resolve(lease.digest(), lease.token(), new Resolution.Release(), "test"));

        assertThat(answer(owner.settle(lease, DONE, RETENTION))).isTrue();
    }

    @Test
    void anOutcomeThatHasNotExpiredIsNotReplacedByAnImportWithAWrongClock() {
        DynamoDbKeyStore owner = openOnTime();
        DynamoDbKeyStore other = open(LocalDynamoDb.CLIENT, new SharedClock("DynamoDB", clock, SKEW));
        Lease lease = acquire(owner, "kept");
        answer(owner.settle(lease, DONE, RETENTION));
        KeyRecord kept = answer(owner.find(lease.digest())).orElseThrow();
        offset.set(HOUR);

        assertRefused(other.importRecord(withToken(kept, kept.token() + 1), Instant.now()));

        assertThat(answer(owner.find(lease.digest())).orElseThrow().token()).isEqualTo(kept.token());
    }

    @Test
    void aNewKeyThatIsClaimedWithAClockThatProvesWrongIsGivenBack() {
        DynamoDbKeyStore other = open(LocalDynamoDb.CLIENT, new SharedClock("DynamoDB", clock, SKEW));
        offset.set(HOUR);

        assertRefused(other.claim(request("new", false)));

        assertThat(acquire(openOnTime(), "new").attempt()).isEqualTo(1);
    }

    private static KeyRecord withToken(KeyRecord record, long token) {
        return record.toBuilder().attempt(record.attempt(), token).build();
    }

    private static void assertRefused(CompletionStage<?> call) {
        assertThatThrownBy(() -> answer(call))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("Synchronise the clock");
    }

    /** A machine whose clock is right. */
    private DynamoDbKeyStore openOnTime() {
        answer(new Table(LocalDynamoDb.CLIENT, table, null).create());
        return new DynamoDbKeyStore(
                new Table(LocalDynamoDb.CLIENT, table, null),
                new SharedClock("DynamoDB", InstantSource.system(), SKEW),
                null);
    }

    private DynamoDbAsyncClient pausingAfterEachRequest() {
        return (DynamoDbAsyncClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DynamoDbAsyncClient.class}, (proxy, method, arguments) -> {
                    CompletableFuture<?> answer = (CompletableFuture<?>) method.invoke(LocalDynamoDb.CLIENT, arguments);
                    answer.join();
                    offset.set(HOUR);
                    return answer;
                });
    }

    private static void assertWrong(SharedClock guard) {
        assertThatThrownBy(guard::requireGood)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Synchronise the clock");
    }

    private static void assertGood(SharedClock guard) {
        assertThatCode(guard::requireGood).doesNotThrowAnyException();
    }

    private void assertRefused(DynamoDbKeyStore store) {
        assertRefused(store.claim(request("refused", false)));
    }

    private DynamoDbKeyStore open(DynamoDbAsyncClient client, SharedClock guard) {
        answer(new Table(LocalDynamoDb.CLIENT, table, null).create());
        return new DynamoDbKeyStore(new Table(client, table, guard), guard, null);
    }

    private static Lease acquire(DynamoDbKeyStore store, String key) {
        Claim claim = answer(store.claim(request(key, false)));
        assertThat(claim).isInstanceOf(Claim.Acquired.class);
        return ((Claim.Acquired) claim).lease();
    }

    private static ClaimRequest request(String key, boolean takeOver) {
        return ClaimRequest.builder(Key.of("tenant", key), "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(5))
                .takeOver(takeOver)
                .build();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** What DynamoDB's answers say of the time. */
    private static Instant inSeconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }
}
