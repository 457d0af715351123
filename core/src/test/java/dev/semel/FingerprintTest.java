package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void matchesTheSamePartsOnly() {
        assertThat(Fingerprint.of("a", "b").matches(Fingerprint.of("a", "b"))).isTrue();
        assertThat(Fingerprint.of("a", "b").matches(Fingerprint.of("ab"))).isFalse();
        assertThat(Fingerprint.of("a", "b").matches(Fingerprint.of("b", "a"))).isFalse();
        assertThat(Fingerprint.of("a", "b").matches(Fingerprint.of("a", "b", "")))
                .isFalse();
    }

    /** Stores keep fingerprints: a release that made others for the same request would refuse true retries. */
    @Test
    void isTheSameInEveryRelease() {
        assertThat(Fingerprint.of("a", "b").withRules("+/x", "host").forOperation("http"))
                .hasToString("bc13d8ad01153e782116275ef0f5d0eb9dd9e0a53277549fda5c886358a6872df23c797b13e11455bc");
    }

    @Test
    void operationsAreDistinctWhateverWasAskedForBefore() {
        Fingerprint charge = Fingerprint.of("a").forOperation("charge");
        Fingerprint refund = Fingerprint.of("a").forOperation("refund");

        assertThat(charge.matches(refund)).isFalse();
        assertThat(Fingerprint.of("a").forOperation("charge")).isEqualTo(charge);
    }

    @Test
    void ofBytesIsThatOfTheSameText() {
        assertThat(Fingerprint.of(bytes("a"))).isEqualTo(Fingerprint.of("a"));
        assertThat(Fingerprint.of(bytes("a")).matches(Fingerprint.of(bytes("b"))))
                .isFalse();
    }

    @Test
    void neverMismatchesAnotherVersionOfTheAlgorithm() {
        assertThat(Fingerprint.of(1, bytes("a")).matches(Fingerprint.of(2, bytes("b"))))
                .isTrue();
        assertThat(Fingerprint.of(1, bytes("a"))).isNotEqualTo(Fingerprint.of(2, bytes("a")));
    }

    @Test
    void underAKeyCannotBeFoundByGuessingAndStillTellsRequestsApart() {
        byte[] key = new byte[32];
        byte[] another = bytes("another key, of thirty-two bytes");
        Fingerprint keyed = Fingerprint.of("a").forOperation("charge").withKey(key);

        assertThat(keyed.matches(Fingerprint.of("a").forOperation("charge").withKey(key)))
                .isTrue();
        assertThat(keyed.matches(Fingerprint.of("b").forOperation("charge").withKey(key)))
                .isFalse();
        assertThat(keyed.matches(Fingerprint.of("a").forOperation("refund").withKey(key)))
                .isFalse();
        assertThat(keyed).isNotEqualTo(Fingerprint.of("a").forOperation("charge"));
        for (Fingerprint other : new Fingerprint[] {
            Fingerprint.of("b").forOperation("charge"),
            Fingerprint.of("b").forOperation("charge").withKey(another),
            Fingerprint.of("b").withRules("/amount").forOperation("charge").withKey(key)
        }) {
            assertThat(keyed.matches(other)).as("made otherwise: %s", other).isTrue();
        }
    }

    @Test
    void readsBackItsStoredForm() {
        Fingerprint fingerprint = Fingerprint.of(200, bytes("a"));
        assertThat(Fingerprint.fromBytes(fingerprint.bytes())).isEqualTo(fingerprint);
        assertThat(fingerprint.version()).isEqualTo(200);
        assertThat(fingerprint.bytes()).hasSize(Fingerprint.LENGTH);
    }

    @Test
    void twoOperationsNeverMatch() {
        Fingerprint ship = Fingerprint.of("body").forOperation("ship");

        assertThat(ship.matches(Fingerprint.of("body").forOperation("ship"))).isTrue();
        assertThat(ship.matches(Fingerprint.of("body").forOperation("cancel"))).isFalse();
        assertThat(ship.matches(Fingerprint.of("body"))).isFalse();
        assertThat(ship.matches(Fingerprint.of(2, bytes("body")).forOperation("cancel")))
                .isFalse();
        assertThat(ship.matches(Fingerprint.of("body").withRules("a").forOperation("cancel")))
                .isFalse();
    }

    @Test
    void fingerprintsOfDifferentRulesAlwaysMatch() {
        Fingerprint both = Fingerprint.of("1", "EUR").withRules("amount", "currency");

        assertThat(both.matches(Fingerprint.of("1").withRules("amount"))).isTrue();
        assertThat(both.matches(Fingerprint.of("1"))).isTrue();
        assertThat(both.matches(Fingerprint.of("2", "EUR").withRules("amount", "currency")))
                .isFalse();
        assertThat(both.matches(Fingerprint.of("2", "EUR").withRules("amountcurrency")))
                .as("names are not run together")
                .isTrue();
    }

    @Test
    void refusesAWrongLengthOrVersion() {
        assertThatThrownBy(() -> Fingerprint.fromBytes(new byte[32]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("41 bytes, got 32");
        assertThatThrownBy(() -> Fingerprint.of(256, bytes("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 256");
        assertThatThrownBy(() -> Fingerprint.of(-1, bytes("a"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anyRequestOfAnOperationMatchesOneThatIsNotKnown() {
        Fingerprint any = Fingerprint.ofAnyRequest().forOperation("charge");

        assertThat(any.matches(Fingerprint.of("a").forOperation("charge"))).isTrue();
        assertThat(any.matches(Fingerprint.of(255, bytes("a")).forOperation("charge")))
                .isTrue();
        assertThat(any.matches(Fingerprint.of("a").forOperation("charge").withKey(bytes("secret"))))
                .isTrue();
        assertThat(any.matches(Fingerprint.of("a").forOperation("refund"))).isFalse();
    }

    @Test
    void cannotBeChangedThroughItsBytes() {
        Fingerprint fingerprint = Fingerprint.of("a");
        fingerprint.bytes()[5]++;
        assertThat(fingerprint).isEqualTo(Fingerprint.of("a"));
    }
}
