package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Lease;
import dev.semel.spi.life.SharedClock;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.SettableClock;
import dev.semel.testservers.TestDynamoDb;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

class DynamoDbKeyStoreTest {

    private static final Retention DAY = Retention.of(Duration.ofDays(1));

    private final String table = LocalDynamoDb.newTable();
    private final Key key = Key.of("tenant", "order-1");

    @Test
    void keepsAnOutcomeOfManyPieces() {
        byte[] payload = new byte[5 << 20];
        new Random(5).nextBytes(payload);
        Outcome large = Outcome.succeeded().payload(payload).build();
        DynamoDbKeyStore store = open();

        assertThat(answer(store.settle(acquire(store), large, DAY))).isTrue();

        assertThat(((Claim.Settled) answer(store.claim(request()))).outcome()).isEqualTo(large);
        KeyOutcome.of(store, key).isEqualTo(large);
    }

    @Test
    void refusesAPayloadThatIsTooLargeAndKeepsTheLease() {
        DynamoDbKeyStore store = open();
        Lease lease = acquire(store);
        Outcome tooLarge = Outcome.succeeded().payload(new byte[17 << 20]).build();

        assertThatThrownBy(() -> answer(store.settle(lease, tooLarge, DAY)))
                .hasCauseInstanceOf(PayloadTooLargeException.class);

        assertThat(answer(store.settle(
                        lease, Outcome.succeeded().payload((byte[]) null).build(), DAY)))
                .isTrue();
    }

    @Test
    void refusesStepsThatDoNotFitAndSaysSo() {
        DynamoDbKeyStore store = open();
        Lease lease = acquire(store);
        assertThat(answer(store.recordStep(lease, "first", new byte[150 << 10])))
                .isTrue();

        assertThatThrownBy(() -> answer(store.recordStep(lease, "second", new byte[100 << 10])))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("no room for a step result of 102400 bytes");
        assertThat(answer(store.recordStep(lease, "first", new byte[150 << 10])))
                .isTrue();
    }

    /** A full head item: as many steps as there may be, an outcome that is just not split, and a history. */
    @Test
    void stepsAnOutcomeAndAHistoryFitIntoOneItem() {
        DynamoDbKeyStore store = open();
        Lease lease = acquire(store);
        for (int i = 0; i < 19; i++) {
            assertThat(answer(store.recordStep(lease, "step " + i, new byte[10_000])))
                    .isTrue();
        }
        assertThat(answer(store.abandon(lease))).isTrue();

        Outcome outcome = Outcome.succeeded().payload(new byte[127 << 10]).build();
        assertThat(answer(store.settle(lease, outcome, DAY))).isTrue();

        KeyOutcome.of(store, key).isEqualTo(outcome);
    }

    /** A key whose operation never ends is taken over again and again. */
    @Test
    void ofALongHistoryTheBeginningAndTheEndAreKept() {
        SettableClock clock = SettableClock.at(Instant.parse("2026-01-01T00:00:00Z"));
        DynamoDbKeyStore store = open(clock);
        int attempts = 100;
        Lease lease = acquire(store);
        for (int i = 1; i < attempts; i++) {
            clock.advance(Duration.ofMinutes(6));
            lease = takeOver(store);
        }
        assertThat(lease.attempt()).isEqualTo(attempts);
        assertThat(answer(store.recordStep(lease, "step", new byte[190_000]))).isTrue();

        Outcome outcome = Outcome.succeeded().payload(new byte[127 << 10]).build();
        assertThat(answer(store.settle(lease, outcome, DAY))).isTrue();

        assertThat(answer(store.find(key.digest())).orElseThrow().history())
                .extracting(KeyRecord.HistoryEntry::attempt)
                .containsExactlyElementsOf(
                        IntStream.concat(IntStream.rangeClosed(1, 5), IntStream.range(attempts - 50, attempts))
                                .boxed()
                                .toList());
    }

    @Test
    void onlySettledAndForgottenKeysHaveATimeToLive() {
        DynamoDbKeyStore store = open();
        Lease lease = acquire(store);
        assertThat(item()).doesNotContainKey(Attributes.GONE_AFTER);
        answer(store.abandon(lease));
        assertThat(item()).doesNotContainKey(Attributes.GONE_AFTER);

        Instant before = Instant.now();
        answer(store.settle(lease, Outcome.succeeded().build(), DAY.withTombstone(Duration.ofDays(2))));

        long goneAfter = Long.parseLong(item().get(Attributes.GONE_AFTER).n());
        assertThat(Instant.ofEpochSecond(goneAfter)).isAfter(before.plus(Duration.ofDays(3)));
        assertThat(item()).doesNotContainKey(Attributes.OPEN);
    }

    @Test
    void aReusedKeyHasNoTimeToLive() {
        DynamoDbKeyStore store = open();
        assertThat(answer(store.release(acquire(store)))).isTrue();
        assertThat(item()).containsKey(Attributes.GONE_AFTER).doesNotContainKey(Attributes.DATA);

        acquire(store);

        assertThat(item()).doesNotContainKey(Attributes.GONE_AFTER);
    }

    /** DynamoDB removes items in any order when their time is over. */
    @Test
    void aKeyWhoseTimeToLiveIsOverIsGoneAlthoughSomeOfItIsStillThere() {
        SettableClock clock = SettableClock.at(Instant.parse("2026-01-01T00:00:00Z"));
        DynamoDbKeyStore store = open(clock);
        Outcome large = Outcome.succeeded().payload(new byte[500 << 10]).build();
        assertThat(answer(store.settle(acquire(store), large, DAY))).isTrue();
        long goneAfter = Long.parseLong(item().get(Attributes.GONE_AFTER).n());
        clock.set(Instant.ofEpochSecond(goneAfter - 60));
        assertThat(answer(store.find(key.digest()))).isPresent();

        clock.set(Instant.ofEpochSecond(goneAfter));
        String chunkId = item().get(Attributes.CHUNK_ID).s();
        LocalDynamoDb.CLIENT
                .deleteItem(request -> request.tableName(table).key(Keys.chunk(key.digest(), chunkId, 0)))
                .join();

        assertThat(answer(store.find(key.digest()))).isEmpty();
        assertThat(answer(store.page(KeyQuery.builder(10).build())).records()).isEmpty();
        assertThat(answer(store.statistics()).keys().values()).allMatch(count -> count == 0);
    }

    @Test
    void createsItsTableWithATimeToLive() {
        open();

        assertThat(LocalDynamoDb.CLIENT
                        .describeTimeToLive(request -> request.tableName(table))
                        .join()
                        .timeToLiveDescription())
                .satisfies(ttl -> {
                    assertThat(ttl.attributeName()).isEqualTo("goneAfter");
                    assertThat(ttl.timeToLiveStatus()).isIn(TimeToLiveStatus.ENABLED, TimeToLiveStatus.ENABLING);
                });
    }

    @Test
    void saysThatThereIsNoTable() {
        assertThatThrownBy(() -> DynamoDbKeyStore.builder(LocalDynamoDb.CLIENT)
                        .table(table)
                        .build())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no table \"" + table + "\"")
                .hasMessageContaining("createIfMissing");
    }

    @Test
    void aServerThatIsNotThereIsUnavailable() {
        try (DynamoDbAsyncClient nobody = TestDynamoDb.client(1)) {
            assertThatThrownBy(
                            () -> DynamoDbKeyStore.builder(nobody).table(table).build())
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void aMachineWhoseClockIsWrongClaimsNothing() {
        for (Duration offset : List.of(Duration.ofMinutes(1), Duration.ofMinutes(-1))) {
            InstantSource wrong = InstantSource.offset(InstantSource.system(), offset);
            DynamoDbKeyStore store = open();
            SharedClock guard = new SharedClock("DynamoDB", wrong, Duration.ofSeconds(2));
            DynamoDbKeyStore skewed = new DynamoDbKeyStore(new Table(LocalDynamoDb.CLIENT, table, guard), guard, null);
            // The first answer is what it notices it by.
            answer(skewed.release(acquire(store)));

            assertThatThrownBy(() -> answer(skewed.claim(request())))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("Synchronise the clock");
            assertThat(answer(store.release(acquire(store)))).isTrue();
        }
    }

    @Test
    void readsUrls() {
        assertThat(DynamoDbUrl.parse("dynamodb:keys?region=eu-central-1&endpoint=http%3A%2F%2Flocalhost%3A8000"))
                .isEqualTo(
                        new DynamoDbUrl("keys", Map.of("region", "eu-central-1", "endpoint", "http://localhost:8000")));
        assertThatThrownBy(() -> DynamoDbUrl.parse("dynamodb:keys?regoin=eu"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"regoin\"");
        assertThatThrownBy(() -> DynamoDbUrl.parse("redis://localhost")).isInstanceOf(IllegalArgumentException.class);
    }

    private DynamoDbKeyStore open(InstantSource clock) {
        return DynamoDbKeyStore.builder(LocalDynamoDb.CLIENT)
                .table(table)
                .createIfMissing()
                .clock(clock)
                .build();
    }

    private DynamoDbKeyStore open() {
        return DynamoDbKeyStore.builder(LocalDynamoDb.CLIENT)
                .table(table)
                .createIfMissing()
                .build();
    }

    private ClaimRequest request() {
        return request(false);
    }

    private ClaimRequest request(boolean takeOver) {
        return ClaimRequest.builder(key, "charge", Fingerprint.of("body"))
                .lease(Duration.ofMinutes(5))
                .takeOver(takeOver)
                .build();
    }

    private Lease acquire(DynamoDbKeyStore store) {
        return acquired(answer(store.claim(request())));
    }

    private Lease takeOver(DynamoDbKeyStore store) {
        return acquired(answer(store.claim(request(true))));
    }

    private static Lease acquired(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Acquired.class);
        return ((Claim.Acquired) claim).lease();
    }

    private Map<String, AttributeValue> item() {
        return LocalDynamoDb.CLIENT
                .getItem(request -> request.tableName(table).key(Keys.head(key.digest())))
                .join()
                .item();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
