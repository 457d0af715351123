package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.KeyState;
import dev.semel.store.StoreUnavailableException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SemelExtensionTest {

    @RegisterExtension
    static final SemelExtension SEMEL = SemelExtension.inMemory();

    private final Key key = Key.of("alice", UUID.randomUUID().toString());
    private final AtomicInteger runs = new AtomicInteger();
    private Semel engine;

    @BeforeEach
    void start() {
        engine = Semel.builder(SEMEL.store())
                .patience(Duration.ZERO, Duration.ofSeconds(1))
                .storeTimeout(Duration.ofSeconds(1))
                .build();
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    private Execution<String> send(Recovery recovery) {
        return engine.operation(Policy.external("pay").recovery(recovery).build(), OutcomeCodec.text())
                .run(key, Fingerprint.of("any request"), attempt -> "run " + runs.incrementAndGet());
    }

    @Test
    void aSettledKeyIsReplayedToAnyRequest() {
        SEMEL.plant(key, "pay").settled(OutcomeCodec.text().encode("paid"));

        assertThat(send(Recovery.HOLD).get()).isEqualTo("paid");
        assertThat(runs).hasValue(0);
    }

    @Test
    void aPendingKeyIsInFlight() {
        SEMEL.plant(key, "pay").pending();

        assertThat(send(Recovery.HOLD)).isInstanceOf(Execution.InFlight.class);
        assertThat(SEMEL.state(key)).contains(KeyState.PENDING);
    }

    @Test
    void aLapsedKeyIsRecovered() {
        SEMEL.plant(key, "pay").lapsed();

        assertThat(send(Recovery.RE_EXECUTE).get()).isEqualTo("run 1");
    }

    @Test
    void anUnknownKeyIsHeld() {
        SEMEL.plant(key, "pay").unknown();

        assertThat(send(Recovery.HOLD)).isInstanceOf(Execution.Unknown.class);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aKeyIsPlantedOnce() {
        SEMEL.plant(key, "pay").pending();

        assertThatThrownBy(() -> SEMEL.plant(key, "pay").unknown()).hasMessageContaining("plants a key once");
    }

    @Test
    @Order(1)
    void aClaimThatFailsRunsNothing() {
        SEMEL.fail(StoreCall.CLAIM);

        assertThatThrownBy(() -> send(Recovery.HOLD)).isInstanceOf(StoreUnavailableException.class);
        assertThat(SEMEL.state(key)).isEmpty();
        SEMEL.fail(StoreCall.CLAIM);
    }

    /** After the test above, which has left a fault behind. */
    @Test
    @Order(2)
    void aLostAnswerIsAskedForAgain() {
        SEMEL.loseAnswer(StoreCall.SETTLE);

        assertThat(send(Recovery.HOLD).get()).isEqualTo("run 1");
        assertThat(SEMEL.state(key)).contains(KeyState.SUCCEEDED);
        assertThat(SEMEL.faults().count(StoreCall.SETTLE)).isGreaterThanOrEqualTo(2);
    }

    @Test
    void aSettleThatHangsIsSentAgain() {
        SEMEL.hang(StoreCall.SETTLE);

        assertThat(send(Recovery.HOLD).get()).isEqualTo("run 1");
        assertThat(runs).hasValue(1);
    }
}
