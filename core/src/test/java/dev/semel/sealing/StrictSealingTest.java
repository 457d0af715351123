package dev.semel.sealing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import dev.semel.spi.StepRecording;
import dev.semel.store.CannotOpenException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What somebody writes into the store without the keys is neither replayed nor run. */
class StrictSealingTest {

    private static final Key KEY = Key.of("customer", "charge-1");
    private static final Outcome FORGED = Outcome.succeeded().payload("forged").build();

    private final LocalMasterKeys keys = LocalMasterKeys.of(Map.of("2026", new byte[32]));
    private final InMemoryKeyStore raw = InMemoryKeyStore.create();
    private final KeyStore store = Sealing.encrypting(keys).strict().around(raw);
    private final AtomicInteger effects = new AtomicInteger();

    @AfterEach
    void nothingHasRun() {
        assertThat(effects).hasValue(0);
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static Claim.Acquired claim(KeyStore in, Duration lease) {
        return (Claim.Acquired) get(in.claim(
                ClaimRequest.builder(KEY, "charge", Fingerprint.of("body").forOperation("charge"))
                        .lease(lease)
                        .build()));
    }

    private static void settle(KeyStore in, Outcome outcome) {
        Claim.Acquired acquired = claim(in, Duration.ofMinutes(1));
        assertThat(get(in.settle(acquired.lease(), outcome, Retention.of(Duration.ofDays(1)))))
                .isTrue();
    }

    private Execution<String> execute(ExternalPolicy.Builder policy) throws Exception {
        Call call = Call.of(KEY, Fingerprint.of("body"));
        try (Semel semel =
                Semel.builder(store).maintenanceInterval(Duration.ZERO).build()) {
            return semel.operation(policy.build(), OutcomeCodec.text())
                    .run(call, attempt -> "run " + effects.incrementAndGet());
        }
    }

    private void refuses() {
        assertThatThrownBy(() -> execute(Policy.external("charge")))
                .isInstanceOf(CannotOpenException.class)
                .hasMessageContaining("not encrypted");
        assertThatThrownBy(() -> get(((Inspecting) store).find(KEY.digest())))
                .hasRootCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesAnOutcomeThatIsNotSealed() {
        settle(raw, FORGED);
        refuses();
    }

    @Test
    void refusesAnOutcomeWithoutAPayload() {
        settle(raw, FORGED.withoutPayload());
        refuses();
    }

    @Test
    void refusesAnOutcomeThatIsSealedButNotEncrypted() {
        settle(Sealing.compressing().around(raw), FORGED);
        refuses();
    }

    @Test
    void replaysWhatIsEncrypted() throws Exception {
        settle(store, FORGED);

        assertThat(execute(Policy.external("charge")).get()).isEqualTo("forged");
        assertThat(get(((Inspecting) store).find(KEY.digest())).orElseThrow().outcome())
                .isEqualTo(FORGED);
    }

    @Test
    void takesOverNoKeyWhoseStepIsNotSealed() throws Exception {
        Claim.Acquired acquired = claim(raw, Duration.ofMillis(1));
        get(((StepRecording) raw).recordStep(acquired.lease(), "reserve", "forged".getBytes(StandardCharsets.UTF_8)));
        while (!(get(raw.claim(ClaimRequest.builder(
                                KEY, "charge", Fingerprint.of("body").forOperation("charge"))
                        .lease(Duration.ofMinutes(1))
                        .build()))
                instanceof Claim.Unknown)) {
            Thread.onSpinWait();
        }

        assertThatThrownBy(() -> execute(Policy.external("charge").recovery(Recovery.RE_EXECUTE)))
                .isInstanceOf(CannotOpenException.class);
    }

    @Test
    void needsMasterKeys() {
        assertThatThrownBy(() -> Sealing.compressing().strict()).isInstanceOf(IllegalStateException.class);
    }
}
