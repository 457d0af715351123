package dev.semel.sealing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.StepRecording;
import dev.semel.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SealingTest {

    private static final ExternalPolicy CHARGE = Policy.external("charge").build();
    private static final Key KEY = Key.of("customer", "charge-1");
    private static final Retention DAY = Retention.of(Duration.ofDays(1));
    private static final String SECRET = "card 4242 ".repeat(60);
    private static final Outcome OUTCOME = Outcome.succeeded()
            .status(201)
            .contentType("text/plain")
            .headers(List.of(new Header("location", "/charges/secret-17")))
            .payload(SECRET)
            .build();

    private final LocalMasterKeys keys = LocalMasterKeys.of(Map.of("2026", key(1)));
    private final InMemoryKeyStore raw = InMemoryKeyStore.create();

    private static byte[] key(int seed) {
        byte[] key = new byte[32];
        key[0] = (byte) seed;
        return key;
    }

    /** As the engine claims it for the operation. */
    private static final Fingerprint BODY = Fingerprint.of("body").forOperation("charge");

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static Claim claim(KeyStore store, Key key) {
        return get(store.claim(ClaimRequest.builder(key, "charge", BODY)
                .lease(Duration.ofMinutes(1))
                .build()));
    }

    private static void settle(KeyStore store, Key key, Outcome outcome) {
        Claim.Acquired acquired = (Claim.Acquired) claim(store, key);
        assertThat(get(store.settle(acquired.lease(), outcome, DAY))).isTrue();
    }

    private static Outcome replayed(KeyStore store) {
        return ((Claim.Settled) claim(store, KEY)).outcome();
    }

    private String stored() {
        Outcome outcome = get(raw.find(KEY.digest())).orElseThrow().outcome();
        return outcome + new String(outcome.requirePayload(), StandardCharsets.ISO_8859_1) + outcome.headers();
    }

    @Test
    void anEncryptedOutcomeShowsNothingButItsStatusAndComesBackWhole() {
        KeyStore store = Sealing.encrypting(keys).around(raw);

        settle(store, KEY, OUTCOME);

        assertThat(stored()).contains("status=201").doesNotContain("4242", "secret-17", "text/plain", "location");
        assertThat(replayed(store)).isEqualTo(OUTCOME);
        assertThat(get(((Inspecting) store).find(KEY.digest())).orElseThrow().outcome())
                .isEqualTo(OUTCOME);
        assertThat(get(((Inspecting) store)
                                .page(KeyQuery.builder(10)
                                        .scope("customer")
                                        .value("charge-1")
                                        .build()))
                        .records())
                .singleElement()
                .satisfies(found -> assertThat(found.outcome()).isEqualTo(OUTCOME));
    }

    @Test
    void twoOutcomesThatAreEqualAreNotEqualInTheStore() {
        KeyStore store = Sealing.encrypting(keys).around(raw);
        Key other = Key.of("customer", "charge-2");

        settle(store, KEY, OUTCOME);
        settle(store, other, OUTCOME);

        assertThat(get(raw.find(KEY.digest())).orElseThrow().outcome())
                .isNotEqualTo(get(raw.find(other.digest())).orElseThrow().outcome());
    }

    @Test
    void aCompressedOutcomeIsSmallerAndComesBackWhole() {
        KeyStore store = Sealing.compressing().around(raw);

        settle(store, KEY, OUTCOME);

        assertThat(get(raw.find(KEY.digest())).orElseThrow().outcome().requirePayload())
                .hasSizeLessThan(SECRET.length() / 3);
        assertThat(replayed(store)).isEqualTo(OUTCOME);
    }

    @Test
    void contentThatDoesNotGetSmallerIsKeptAsItIs() {
        KeyStore store = Sealing.compressingAndEncrypting(keys).around(raw);
        Outcome noise = Outcome.succeeded().payload(AesGcm.random(10_000)).build();

        settle(store, KEY, noise);

        assertThat(replayed(store)).isEqualTo(noise);
    }

    @Test
    void anOutcomeWithoutAPayloadStaysOne() {
        KeyStore store = Sealing.compressingAndEncrypting(keys).around(raw);

        settle(store, KEY, OUTCOME.withoutPayload());

        assertThat(replayed(store)).isEqualTo(OUTCOME.withoutPayload());
    }

    @Test
    void whatWasStoredBeforeIsStillRead() {
        settle(raw, KEY, OUTCOME);

        assertThat(replayed(Sealing.compressingAndEncrypting(keys).around(raw))).isEqualTo(OUTCOME);
    }

    @Test
    void stepsAreSealedToo() {
        KeyStore store = Sealing.compressingAndEncrypting(keys).around(raw);
        Claim.Acquired acquired = (Claim.Acquired) claim(store, KEY);

        get(((StepRecording) store).recordStep(acquired.lease(), "reserve", SECRET.getBytes(StandardCharsets.UTF_8)));

        byte[] inStore = get(raw.find(KEY.digest())).orElseThrow().steps().get("reserve");
        assertThat(new String(inStore, StandardCharsets.ISO_8859_1)).doesNotContain("4242");
        assertThat(get(((Inspecting) store).find(KEY.digest())).orElseThrow().steps())
                .containsEntry("reserve", SECRET.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anOlderMasterKeyStillReadsAndANewOneWrites() {
        settle(Sealing.encrypting(keys).around(raw), KEY, OUTCOME);
        Map<String, byte[]> rotated = new java.util.LinkedHashMap<>();
        rotated.put("2027", key(2));
        rotated.put("2026", key(1));
        KeyStore store = Sealing.encrypting(LocalMasterKeys.of(rotated)).around(raw);
        Key other = Key.of("customer", "charge-2");

        settle(store, other, OUTCOME);

        assertThat(replayed(store)).isEqualTo(OUTCOME);
        KeyStore onlyNew =
                Sealing.encrypting(LocalMasterKeys.of(Map.of("2027", key(2)))).around(raw);
        assertThat(((Claim.Settled) claim(onlyNew, other)).outcome()).isEqualTo(OUTCOME);
    }

    @Test
    void withoutItsMasterKeyAnOutcomeIsNotReplayedAndNothingRunsAgain() {
        settle(Sealing.encrypting(keys).around(raw), KEY, OUTCOME);
        KeyStore store =
                Sealing.encrypting(LocalMasterKeys.of(Map.of("2027", key(2)))).around(raw);
        AtomicInteger effects = new AtomicInteger();
        Call call = Call.of(KEY, Fingerprint.of("body"));

        try (Semel semel = Semel.builder(store).build()) {
            assertThatThrownBy(() -> semel.operation(CHARGE, OutcomeCodec.text())
                            .run(call, attempt -> "again " + effects.incrementAndGet()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("master key \"2026\" is not among those given, [2027]");
        }
        assertThat(effects).hasValue(0);
    }

    /** A page is how people and the maintenance find keys; one that cannot be opened must not hide the others. */
    @Test
    void withoutItsMasterKeyARecordIsInItsPageAsItIsStored() {
        settle(Sealing.encrypting(keys).around(raw), KEY, OUTCOME);
        Key other = Key.of("customer", "charge-2");
        KeyStore store =
                Sealing.encrypting(LocalMasterKeys.of(Map.of("2027", key(2)))).around(raw);
        settle(store, other, OUTCOME);

        assertThat(get(((Inspecting) store).page(KeyQuery.builder(10).build())).records())
                .extracting(KeyRecord::key, KeyRecord::outcome)
                .containsExactlyInAnyOrder(
                        tuple(KEY, get(raw.find(KEY.digest())).orElseThrow().outcome()), tuple(other, OUTCOME));
        assertThatThrownBy(() -> get(((Inspecting) store).find(KEY.digest())))
                .hasMessageContaining("master key \"2026\" is not among those given");
    }

    @Test
    void withoutAnyMasterKeyTheMessageSaysSo() {
        settle(Sealing.encrypting(keys).around(raw), KEY, OUTCOME);

        assertThatThrownBy(() -> replayed(Sealing.compressing().around(raw)))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("it is encrypted, and no master keys were given");
    }

    @Test
    void anOutcomeThatWasMovedToAnotherKeyIsNotOpened() {
        settle(Sealing.encrypting(keys).around(raw), Key.of("other", "charge"), OUTCOME);
        settle(
                raw,
                KEY,
                get(raw.find(Key.of("other", "charge").digest())).orElseThrow().outcome());

        assertThatThrownBy(() -> replayed(Sealing.encrypting(keys).around(raw)))
                .hasMessageContaining("moved from another key's record");
    }

    @Test
    void noByteOfASealedOutcomeCanBeChangedUnnoticed() {
        settle(Sealing.compressingAndEncrypting(keys).around(raw), KEY, OUTCOME);
        byte[] sealed = get(raw.find(KEY.digest())).orElseThrow().outcome().requirePayload();

        for (int i = 8; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            InMemoryKeyStore forged = InMemoryKeyStore.create();
            settle(forged, KEY, Outcome.succeeded().status(201).payload(changed).build());
            KeyStore store = Sealing.compressingAndEncrypting(keys).around(forged);

            assertThatThrownBy(() -> replayed(store)).as("byte %d", i).hasCauseInstanceOf(StoreException.class);
        }
    }

    @Test
    void aSealedOutcomeThatWasCutIsAFailureOfTheStore() {
        settle(Sealing.compressingAndEncrypting(keys).around(raw), KEY, OUTCOME);
        byte[] sealed = get(raw.find(KEY.digest())).orElseThrow().outcome().requirePayload();

        for (int length = 13; length < sealed.length; length++) {
            InMemoryKeyStore cut = InMemoryKeyStore.create();
            settle(
                    cut,
                    KEY,
                    Outcome.succeeded()
                            .payload(java.util.Arrays.copyOf(sealed, length))
                            .build());
            KeyStore store = Sealing.compressingAndEncrypting(keys).around(cut);

            assertThatThrownBy(() -> replayed(store)).hasCauseInstanceOf(StoreException.class);
        }
    }

    @Test
    void aDataKeyIsUnwrappedOnceAndNotOnTheStoresThread() throws InterruptedException {
        settle(Sealing.encrypting(keys).around(raw), KEY, OUTCOME);
        CountDownLatch answer = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        KeyStore store = Sealing.encrypting(new MasterKeys() {
                    @Override
                    public byte[] wrap(byte[] dataKey) {
                        return keys.wrap(dataKey);
                    }

                    @Override
                    public byte[] unwrap(byte[] wrapped) {
                        asked.incrementAndGet();
                        try {
                            answer.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                        return keys.unwrap(wrapped);
                    }
                })
                .around(raw);
        ClaimRequest request = ClaimRequest.builder(KEY, "charge", BODY)
                .lease(Duration.ofMinutes(1))
                .build();

        CompletableFuture<Claim> first = store.claim(request).toCompletableFuture();
        CompletableFuture<Claim> second = store.claim(request).toCompletableFuture();

        assertThat(first).isNotDone();
        answer.countDown();
        assertThat(((Claim.Settled) first.join()).outcome()).isEqualTo(OUTCOME);
        assertThat(((Claim.Settled) second.join()).outcome()).isEqualTo(OUTCOME);
        assertThat(asked).hasValue(1);
    }

    @Test
    void aKeyServiceThatFailsOnceIsAskedAgain() {
        settle(Sealing.encrypting(keys).around(raw), KEY, OUTCOME);
        AtomicInteger asked = new AtomicInteger();
        KeyStore store = Sealing.encrypting(new MasterKeys() {
                    @Override
                    public byte[] wrap(byte[] dataKey) {
                        return keys.wrap(dataKey);
                    }

                    @Override
                    public byte[] unwrap(byte[] wrapped) {
                        if (asked.incrementAndGet() == 1) {
                            throw new IllegalStateException("the key service is away");
                        }
                        return keys.unwrap(wrapped);
                    }
                })
                .around(raw);

        assertThatThrownBy(() -> replayed(store)).hasMessageContaining("the key service is away");
        assertThat(replayed(store)).isEqualTo(OUTCOME);
    }

    @Test
    void aKeyServiceThatDoesNotAnswerIsGivenUpAndAskedAgain() {
        settle(Sealing.encrypting(keys).around(raw), KEY, OUTCOME);
        AtomicInteger asked = new AtomicInteger();
        KeyStore store = sealedWith(keys, task -> {
            if (asked.incrementAndGet() > 1) {
                task.run();
            }
        });

        assertThatThrownBy(() -> replayed(store))
                .hasMessageContaining("the master keys did not unwrap a data key within PT0.02S");
        assertThat(replayed(store)).isEqualTo(OUTCOME);
    }

    @Test
    void aKeyServiceThatThereWasNoThreadForIsAskedAgain() {
        settle(Sealing.encrypting(keys).around(raw), KEY, OUTCOME);
        AtomicInteger started = new AtomicInteger();
        KeyStore store = sealedWith(keys, task -> {
            if (started.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        });

        assertThatThrownBy(() -> replayed(store)).hasMessageContaining("unable to create native thread");
        assertThat(replayed(store)).isEqualTo(OUTCOME);
    }

    private KeyStore sealedWith(MasterKeys masterKeys, Executor aside) {
        return SealedStore.around(raw, new Seal(false, new DataKeys(masterKeys, aside, Duration.ofMillis(20))));
    }

    @Test
    void masterKeysThatDoNotWorkAreFoundAtTheStart() {
        MasterKeys broken = new MasterKeys() {
            @Override
            public byte[] wrap(byte[] dataKey) {
                throw new IllegalStateException("no permission to encrypt");
            }

            @Override
            public byte[] unwrap(byte[] wrapped) {
                throw new IllegalStateException("no permission to decrypt");
            }
        };

        assertThatThrownBy(() -> Sealing.encrypting(broken).around(raw)).hasMessage("no permission to encrypt");
    }

    @Test
    void theEngineReplaysThroughIt() {
        Call call = Call.of(KEY, Fingerprint.of("body"));
        try (Semel semel = Semel.builder(Sealing.compressingAndEncrypting(keys).around(raw))
                .build()) {
            semel.operation(CHARGE, OutcomeCodec.text()).run(call, attempt -> SECRET);

            assertThat(semel.operation(CHARGE, OutcomeCodec.text()).run(call, attempt -> "again"))
                    .isInstanceOfSatisfying(
                            Execution.Replayed.class,
                            replay -> assertThat(replay.get()).isEqualTo(SECRET));
        }
    }
}
