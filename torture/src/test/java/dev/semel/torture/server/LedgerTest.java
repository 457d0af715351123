package dev.semel.torture.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.testkit.history.Guarantee;
import dev.semel.testkit.history.Violation;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private Ledger ledger;

    @BeforeEach
    void open() throws IOException {
        ledger = new Ledger();
    }

    @AfterEach
    void close() throws IOException {
        ledger.close();
    }

    @Test
    void notesEveryEffectThatMustNotBeRepeated() throws IOException {
        assertThat(ask("EFFECT HOLD alice key r1 1 17")).isEqualTo("OK");
        assertThat(ask("EFFECT HOLD alice key r2 1 12")).isEqualTo("OK");

        assertThat(ledger.effects(Operation.HOLD))
                .extracting(effect -> effect.request())
                .containsExactly("r1", "r2");
    }

    @Test
    void refusesTheEffectOfAZombie() throws IOException {
        assertThat(ask("EFFECT REDO alice key r1 2 17")).isEqualTo("OK");
        assertThat(ask("EFFECT REDO alice key r2 1 12")).isEqualTo("FENCED");
        assertThat(ask("EFFECT REDO bob key r3 1 12")).isEqualTo("OK");

        assertThat(ledger.effects(Operation.REDO))
                .extracting(effect -> effect.request())
                .containsExactly("r1", "r3");
        assertThat(ledger.fencedEffects()).isEqualTo(1);
    }

    @Test
    void closesAKeyForRequestsOlderThanTheAnswerThatItHasNoEffect() throws IOException {
        ledger.countRequestsBy(() -> 5);

        assertThat(ask("RECONCILE ASK alice key")).isEqualTo("NONE");

        assertThat(ask("EFFECT ASK alice key r5 1 17")).isEqualTo("CLOSED");
        assertThat(ask("EFFECT ASK alice key r6 2 18 b3V0Y29tZQ==")).isEqualTo("OK");
        assertThat(ask("RECONCILE ASK alice key")).isEqualTo("b3V0Y29tZQ==");
    }

    @Test
    void showsSomeEffectsLate() throws Exception {
        ledger.countRequestsBy(() -> 5);
        ledger.showLate(Duration.ofMillis(100));
        String key = shownLate();
        assertThat(ask("RECONCILE ASK alice " + key)).isEqualTo("LATE 1200");

        assertThat(ask("EFFECT ASK alice " + key + " r5 1 17 b3V0Y29tZQ==")).isEqualTo("OK");

        assertThat(ask("RECONCILE ASK alice " + key)).isEqualTo("LATE 1200");
        TimeUnit.MILLISECONDS.sleep(1_150);
        assertThat(ask("RECONCILE ASK alice " + key)).isEqualTo("b3V0Y29tZQ==");
    }

    @Test
    void refusesLateRequestsWhereItShowsEffectsLate() throws Exception {
        ledger.countRequestsBy(() -> 5);
        ledger.showLate(Duration.ofMillis(10));
        ledger.sends("r5");
        TimeUnit.MILLISECONDS.sleep(50);

        assertThat(ask("EFFECT ASK alice " + shownLate() + " r5 1 17")).isEqualTo("CLOSED");
        assertThat(ask("EFFECT HOLD alice " + shownLate() + " r5 1 17")).isEqualTo("OK");
    }

    @Test
    void showsTheEffectsOfAForgottenKeyLateAgain() throws Exception {
        ledger.countRequestsBy(() -> 5);
        ledger.showLate(Duration.ofMillis(100));
        String key = shownLate();
        assertThat(ask("EFFECT ASK alice " + key + " r6 1 17 b3V0Y29tZQ==")).isEqualTo("OK");
        TimeUnit.MILLISECONDS.sleep(1_150);

        ledger.forget(Key.of("alice", key));

        assertThat(ask("RECONCILE ASK alice " + key)).isEqualTo("LATE 1200");
    }

    private static String shownLate() {
        return Stream.iterate(1, i -> i + 1)
                .map(i -> "key" + i)
                .filter(key -> new LateView(Duration.ZERO).concerns(Operation.ASK, Key.of("alice", key)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void refusesTheLateEffectOfAnEarlierLife() throws IOException {
        AtomicLong requests = new AtomicLong(5);
        ledger.countRequestsBy(requests::get);
        Key key = Key.of("alice", "key");
        ledger.beginLife(key, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
        assertThat(ask("EFFECT BRIEF alice key r6 1 17 b3V0Y29tZQ==")).isEqualTo("OK");
        requests.set(7);

        ledger.beginLife(key, System.nanoTime() + TimeUnit.HOURS.toNanos(1));

        assertThat(ledger.close(key)).isEmpty();
        assertThat(ask("EFFECT BRIEF alice key r7 1 18")).isEqualTo("CLOSED");
        assertThat(ask("EFFECT BRIEF alice key r8 1 19")).isEqualTo("OK");
    }

    @Test
    void refusesAnEffectWhenItsKeyMayHaveBeenForgotten() throws IOException {
        ledger.countRequestsBy(() -> 5);
        ledger.beginLife(Key.of("alice", "key"), System.nanoTime());

        assertThat(ask("EFFECT BRIEF alice key r6 1 17")).isEqualTo("CLOSED");
        assertThat(ask("EFFECT BRIEF bob key r7 1 17")).isEqualTo("OK");
    }

    @Test
    void beginsAgainWithAKeyThatTheStoreHasForgotten() throws IOException {
        AtomicLong requests = new AtomicLong(5);
        ledger.countRequestsBy(requests::get);
        assertThat(ask("EFFECT REDO alice key r4 1 17 b3V0Y29tZQ==")).isEqualTo("OK");

        ledger.forget(Key.of("alice", "key"));

        assertThat(ask("EFFECT REDO alice key r5 1 18")).isEqualTo("CLOSED");
        assertThat(ask("EFFECT REDO alice key r6 1 3")).isEqualTo("OK");
    }

    @Test
    void refusesAllEffectsOfAKeyThatIsClosedForever() throws IOException {
        ledger.countRequestsBy(() -> 5);
        assertThat(ask("EFFECT ASK alice key r4 1 17 b3V0Y29tZQ==")).isEqualTo("OK");

        ledger.closeForever(Key.of("alice", "key"));

        assertThat(ask("EFFECT ASK alice key r6 1 18")).isEqualTo("CLOSED");
        assertThat(ask("RECONCILE ASK alice key")).as("what it knows").isEqualTo("b3V0Y29tZQ==");
    }

    @Test
    void findsWhatRunsWhileClaimsHaveToBeRefused() throws IOException {
        AtomicLong requests = new AtomicLong(5);
        ledger.countRequestsBy(requests::get);
        ledger.beginRefusal();
        requests.set(7);
        assertThat(ask("EFFECT HOLD alice under-way r5 1 17")).isEqualTo("OK");
        assertThat(ledger.breaches(Operation.HOLD)).isEmpty();

        assertThat(ask("EFFECT HOLD alice key r6 1 18")).isEqualTo("OK");
        ledger.endRefusal();
        assertThat(ask("EFFECT HOLD alice later r7 1 19")).isEqualTo("OK");

        assertThat(ledger.breaches(Operation.HOLD))
                .extracting(violation ->
                        violation.guarantee() + " " + violation.key().value())
                .containsExactly("G5 key");
    }

    @Test
    void findsAStepThatRunsAgainAfterItWasRecorded() throws IOException {
        ask("EFFECT REDO alice key r1 1 17");
        ask("STEP REDO alice key r1 17 effect r1");
        ask("STEP REDO alice key r2 18 effect r1");
        assertThat(ledger.breaches(Operation.REDO)).isEmpty();

        ask("EFFECT REDO alice key r2 2 18");
        ask("STEP REDO alice key r2 18 effect r2");

        assertThat(ledger.breaches(Operation.REDO))
                .extracting(Violation::guarantee)
                .containsExactly(Guarantee.G5, Guarantee.G3);
    }

    @Test
    void tellsWhenANodeHasComeToAFailpoint() throws IOException {
        List<String> reached = new ArrayList<>();
        ledger.onFailpoint((node, point) -> reached.add(node + " " + point));

        ask("POINT n1.2 after-claim");

        assertThat(reached).containsExactly("n1.2 after-claim");
    }

    private String ask(String line) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ledger.port())) {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }
}
