package dev.semel.sealing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.StepRecording;
import dev.semel.store.CannotOpenException;
import dev.semel.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Nodes that cannot open, or not in time, what others have sealed. */
class OpeningTest {

    private static final Key KEY = Key.of("customer", "charge-1");
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryKeyStore raw =
            InMemoryKeyStore.builder().clock(now::get).build();
    private final AtomicInteger effects = new AtomicInteger();

    private static LocalMasterKeys keys(String name, int seed) {
        byte[] key = new byte[32];
        key[0] = (byte) seed;
        return LocalMasterKeys.of(Map.of(name, key));
    }

    private String charge() {
        return "receipt " + effects.incrementAndGet();
    }

    private static Semel engine(KeyStore store) {
        return Semel.builder(store).patience(PATIENCE, PATIENCE).build();
    }

    private static ClaimRequest request(Policy policy) {
        return ClaimRequest.builder(
                        KEY, policy.operation(), Fingerprint.of("body").forOperation(policy.identity()))
                .lease(policy.lease())
                .retention(policy.retention())
                .takeOver(true)
                .build();
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Test
    void aSlowKeyServiceIsNotAStoreThatIsDown() {
        ExternalPolicy open =
                Policy.external("charge").whenStoreIsDown(WhenStoreIsDown.OPEN).build();
        engine(Sealing.encrypting(keys("2026", 1)).around(raw))
                .operation(open, OutcomeCodec.text())
                .run(KEY, Fingerprint.of("body"), attempt -> charge());
        CountDownLatch answer = new CountDownLatch(1);
        Semel semel = engine(Sealing.encrypting(slow(keys("2026", 1), answer))
                .openWithin(PATIENCE.dividedBy(2))
                .around(raw));

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> semel.operation(open, OutcomeCodec.text())
                            .run(KEY, Fingerprint.of("body"), attempt -> charge()))
                    .isInstanceOf(CannotOpenException.class)
                    .hasMessageContaining(KEY.digest().toString());
        }
        answer.countDown();

        assertThat(semel.operation(open, OutcomeCodec.text())
                        .run(KEY, Fingerprint.of("body"), attempt -> charge())
                        .get())
                .isEqualTo("receipt 1");
        assertThat(effects).hasValue(1);
    }

    private static MasterKeys slow(MasterKeys keys, CountDownLatch answer) {
        return new MasterKeys() {
            @Override
            public byte[] wrap(byte[] dataKey) {
                return keys.wrap(dataKey);
            }

            @Override
            public byte[] unwrap(byte[] wrapped) {
                try {
                    answer.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return keys.unwrap(wrapped);
            }
        };
    }

    @Test
    void aKeyServiceThatIsAwayIsNotAStoreThatIsDown() {
        ExternalPolicy open =
                Policy.external("charge").whenStoreIsDown(WhenStoreIsDown.OPEN).build();
        LocalMasterKeys keys = keys("2026", 1);
        engine(Sealing.encrypting(keys).around(raw))
                .operation(open, OutcomeCodec.text())
                .run(KEY, Fingerprint.of("body"), attempt -> charge());
        Semel semel = engine(Sealing.encrypting(new MasterKeys() {
                    @Override
                    public byte[] wrap(byte[] dataKey) {
                        return keys.wrap(dataKey);
                    }

                    @Override
                    public byte[] unwrap(byte[] wrapped) {
                        throw new StoreUnavailableException("the key service is away", null);
                    }
                })
                .around(raw));

        assertThatThrownBy(() -> semel.operation(open, OutcomeCodec.text())
                        .run(KEY, Fingerprint.of("body"), attempt -> charge()))
                .isInstanceOf(CannotOpenException.class)
                .hasMessageContaining("the key service is away");
        assertThat(effects).hasValue(1);
    }

    @Test
    void aNodeTakesNothingOverThatItCannotOpen() throws Exception {
        ExternalPolicy again = Policy.external("charge")
                .recovery(Recovery.RE_EXECUTE)
                .lease(LEASE)
                .build();
        KeyStore first = Sealing.encrypting(keys("2026", 1)).around(raw);
        Semel other = engine(Sealing.encrypting(keys("2027", 2)).around(raw));
        Claim.Acquired died = (Claim.Acquired) get(first.claim(request(again)));
        get(((StepRecording) first).recordStep(died.lease(), "charged", "once".getBytes(StandardCharsets.UTF_8)));
        now.updateAndGet(time -> time.plus(LEASE).plusSeconds(1));

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> other.operation(again, OutcomeCodec.text())
                            .run(KEY, Fingerprint.of("body"), attempt -> charge()))
                    .isInstanceOf(CannotOpenException.class)
                    .hasMessageContaining(KEY.digest().toString())
                    .hasMessageContaining("master key \"2026\" is not among those given, [2027]; add it again");
        }

        KeyRecord left = get(raw.find(KEY.digest())).orElseThrow();
        assertThat(left.attempt()).isEqualTo(1);
        assertThat(left.token()).isEqualTo(died.lease().token());
        assertThat(left.steps()).containsKey("charged");
        Execution<String> recovered = engine(first)
                .operation(again, OutcomeCodec.text())
                .run(
                        KEY,
                        Fingerprint.of("body"),
                        attempt -> attempt.step("charged", Codec.text(), () -> charge() + " twice") + " by attempt "
                                + attempt.number());
        assertThat(recovered.get()).isEqualTo("once by attempt 2");
        assertThat(effects).hasValue(0);
    }

    @Test
    void aNodeTakesOverWhatItCanOpen() {
        ExternalPolicy again = Policy.external("charge")
                .recovery(Recovery.RE_EXECUTE)
                .lease(LEASE)
                .build();
        KeyStore store = Sealing.compressing().around(raw);
        get(store.claim(request(again)));
        now.updateAndGet(time -> time.plus(LEASE).plusSeconds(1));

        assertThat(engine(store)
                        .operation(again, OutcomeCodec.text())
                        .run(KEY, Fingerprint.of("body"), attempt -> charge() + " of attempt " + attempt.number())
                        .get())
                .isEqualTo("receipt 1 of attempt 2");
    }
}
