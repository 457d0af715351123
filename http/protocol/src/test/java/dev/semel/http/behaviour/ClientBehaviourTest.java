package dev.semel.http.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.http.HttpEvent;
import dev.semel.http.behaviour.ClientBehaviour.Client;
import dev.semel.http.behaviour.ClientBehaviour.Mistake;
import dev.semel.http.behaviour.ClientBehaviour.ObservedMistake;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientBehaviourTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = START;
    private final List<ObservedMistake> told = new ArrayList<>();
    private final ClientBehaviour behaviour = new ClientBehaviour(told::add, () -> now);

    @Test
    void theSameRequestUnderANewKeyIsARetryThatIsNotProtected() {
        arrives("shop", "k1", "pay 5");
        pass(Duration.ofSeconds(2));
        arrives("shop", "k2", "pay 5");
        pass(Duration.ofSeconds(3));
        arrives("shop", "k3", "pay 5");

        Client client = only();
        assertThat(client.scope()).isEqualTo("shop");
        assertThat(client.count(Mistake.FRESH_KEY)).isEqualTo(2);
        assertThat(client.firstAt()).isEqualTo(START.plusSeconds(2));
        assertThat(client.lastAt()).isEqualTo(START.plusSeconds(5));
        ObservedMistake latest = client.latest().get(0);
        assertThat(latest.at()).isEqualTo(START.plusSeconds(5));
        assertThat(latest.mistake()).isEqualTo(Mistake.FRESH_KEY);
        assertThat(latest.operation()).isEqualTo("charge");
        assertThat(latest.key()).isEqualTo(Key.of("shop", "k3").digest());
        assertThat(latest.before()).isEqualTo(Key.of("shop", "k2").digest());
        assertThat(latest.after()).isEqualTo(Duration.ofSeconds(3));
        assertThat(latest.asked()).isNull();
        assertThat(told).hasSize(2);
    }

    @Test
    void aRetryUnderItsOwnKeyIsRight() {
        arrives("shop", "k1", "pay 5");
        arrives("shop", "k1", "pay 5");

        assertThat(behaviour.clients()).isEmpty();
    }

    @Test
    void theSameRequestLongAfterIsAnotherOperation() {
        arrives("shop", "k1", "pay 5");
        pass(ClientBehaviour.WINDOW.plusMillis(1));
        arrives("shop", "k2", "pay 5");

        assertThat(behaviour.clients()).isEmpty();
    }

    @Test
    void callersAreNotTakenForEachOther() {
        arrives("shop", "k1", "pay 5");
        arrives("bank", "k2", "pay 5");

        assertThat(behaviour.clients()).isEmpty();
    }

    @Test
    void aKeyWithAnotherRequestIsReused() {
        behaviour.on(new HttpEvent.KeyReused("charge", Key.of("shop", "k1")));

        assertThat(only().count(Mistake.KEY_REUSED)).isEqualTo(1);
    }

    @Test
    void aRetryBeforeItsTimeIsTooEarly() {
        arrives("shop", "k1", "pay 5");
        toldToRetry("shop", "k1", 2);
        pass(Duration.ofMillis(300));
        arrives("shop", "k1", "pay 5");

        assertThat(only().count(Mistake.RETRY_TOO_EARLY)).isEqualTo(1);
        assertThat(only().latest().get(0).after()).isEqualTo(Duration.ofMillis(300));
        assertThat(only().latest().get(0).asked()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aShortWaitDoesNotHideALongOne() {
        toldToRetry("shop", "k1", 20);
        toldToRetry("bank", "k2", 1);
        pass(Duration.ofSeconds(3));
        arrives("bank", "k2", "pay 5");
        arrives("shop", "k1", "pay 5");

        assertThat(only().scope()).isEqualTo("shop");
    }

    @Test
    void aRetryOnTimeIsRight() {
        toldToRetry("shop", "k1", 2);
        pass(Duration.ofMillis(1_900));
        arrives("shop", "k1", "pay 5");

        assertThat(behaviour.clients()).isEmpty();
    }

    @Test
    void theWorstComesFirst() {
        behaviour.on(new HttpEvent.KeyReused("charge", Key.of("a", "k")));
        behaviour.on(new HttpEvent.KeyReused("charge", Key.of("b", "k")));
        behaviour.on(new HttpEvent.KeyReused("charge", Key.of("b", "k")));

        assertThat(behaviour.clients()).extracting(Client::scope).containsExactly("b", "a");
    }

    @Test
    void memoryIsBounded() {
        for (int i = 0; i < 5_000; i++) {
            behaviour.on(new HttpEvent.KeyReused("charge", Key.of("caller-" + i, "k")));
            behaviour.on(new HttpEvent.KeyReused("charge", Key.of("always", "k")));
        }

        assertThat(behaviour.clients()).hasSize(1_000);
        assertThat(behaviour.clients().get(0).count(Mistake.KEY_REUSED)).isEqualTo(5_000);
        assertThat(behaviour.clients()).allMatch(client -> client.latest().size() <= 5);

        for (int i = 0; i < 20_000; i++) {
            arrives("shop", "first-" + i, "pay " + i);
        }
        told.clear();
        for (int i = 20_000 - 1; i >= 0; i--) {
            arrives("shop", "second-" + i, "pay " + i);
        }
        assertThat(told).as("the latest requests are remembered").hasSizeBetween(10_000, 16_384);
    }

    @Test
    void whatComesToThePlaceOfAnotherTakesIt() {
        DigestTable recent = new DigestTable(16, 2);

        assertThat(recent.put(1, 5, 10, 11)).isNull();
        assertThat(recent.put(1, 5, 20, 21)).containsExactly(10, 11);
        assertThat(recent.put(2, 5, 30, 31)).isNull();
        assertThat(recent.remove(1, 5)).isNull();
        assertThat(recent.remove(2, 5)).containsExactly(30, 31);
        assertThat(recent.remove(2, 5)).isNull();
    }

    private void arrives(String scope, String key, String body) {
        behaviour.on(new HttpEvent.Arrived("charge", Key.of(scope, key), Fingerprint.of(body)));
    }

    private void toldToRetry(String scope, String key, long seconds) {
        behaviour.on(new HttpEvent.ToldToRetry("charge", Key.of(scope, key), Duration.ofSeconds(seconds)));
    }

    private Client only() {
        assertThat(behaviour.clients()).hasSize(1);
        return behaviour.clients().get(0);
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }
}
