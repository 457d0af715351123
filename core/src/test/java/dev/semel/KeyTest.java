package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {

    @Test
    void digestsDifferByNamespaceScopeAndValue() {
        assertThat(new TreeSet<>(java.util.List.of(
                        Key.of("a", "k").digest(),
                        Key.of("b", "k").digest(),
                        Key.of("a", "l").digest(),
                        Namespace.parse("v2:default").key("a", "k").digest(),
                        Namespace.parse("v1:payments").key("a", "k").digest())))
                .hasSize(5);
    }

    @Test
    void digestsDoNotConfuseTheEndOfAScopeWithTheBeginningOfAValue() {
        assertThat(Key.of("a", "bc").digest()).isNotEqualTo(Key.of("ab", "c").digest());
        assertThat(Key.of("a:b", "c").digest()).isNotEqualTo(Key.of("a", "b:c").digest());
    }

    @Test
    void digestIsTheSameInEveryRelease() {
        assertThat(Key.of("merchant-1", "order-1").digest()).hasToString("4631578e61d635a41f28bd4f1b57dde0");
    }

    @Test
    void digestReadsBackItsOwnText() {
        KeyDigest digest = Key.of("merchant-1", "order-1").digest();
        assertThat(KeyDigest.parse(digest.toString())).isEqualTo(digest);
        assertThat(KeyDigest.fromUuid(digest.asUuid())).isEqualTo(digest);
        assertThatThrownBy(() -> KeyDigest.parse("xyz"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("32")
                .hasMessageContaining("xyz");
    }

    @Test
    void digestsAreOrderedAsUnsignedNumbers() {
        assertThat(new KeyDigest(-1, 0)).isGreaterThan(new KeyDigest(1, 0));
        assertThat(new KeyDigest(1, -1)).isGreaterThan(new KeyDigest(1, 1));
    }

    @Test
    void acceptsOneCharacterAndTheLongestKeyOfFourByteCharacters() {
        assertThat(Key.of("s", "k").value()).isEqualTo("k");
        assertThat(Key.of("s", "\uD83D\uDE00".repeat(Key.MAX_LENGTH)).value()).hasSize(510);
    }

    @Test
    void refusesAnEmptyOrOverlongKeyAndNamesTheLimit() {
        assertThatThrownBy(() -> Key.of("s", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("key must not be empty");
        assertThatThrownBy(() -> Key.of("", "k"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("scope must not be empty");
        assertThatThrownBy(() -> Key.of("s", "x".repeat(256)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key must have at most 255 characters, got 256")
                .hasMessageNotContaining("x".repeat(41));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\nb", "a\u007fb", "a\ud800"})
    void refusesWhatNoStoreCouldKeep(String value) {
        assertThatThrownBy(() -> Key.of("s", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("U+");
    }

    @Test
    void neverShowsItsScopeOrValue() {
        assertThat(Key.of("customer-7", "secret-key").toString())
                .doesNotContain("customer-7")
                .doesNotContain("secret-key");
    }

    @Test
    void childrenAreStableAndDifferByLabelAndParent() {
        Key key = Key.of("s", "k");
        assertThat(key.childValue("payment:charge"))
                .isEqualTo(Key.of("s", "k").childValue("payment:charge"))
                .isNotEqualTo(key.childValue("payment"))
                .isNotEqualTo(Key.of("s", "l").childValue("payment:charge"))
                .matches("[A-Za-z0-9_-]{43}");
    }

    @Test
    void aChildLabelCannotBeMistakenForPartOfTheKey() {
        assertThat(Key.of("s", "a:b").childValue("c"))
                .isNotEqualTo(Key.of("s", "a").childValue("b:c"));
    }

    @Test
    void deterministicValuesDependOnOperationAndEveryParameter() {
        String value = Key.deterministicValue("charge", "order-1", "100");
        assertThat(value)
                .isEqualTo(Key.deterministicValue("charge", "order-1", "100"))
                .isNotEqualTo(Key.deterministicValue("refund", "order-1", "100"))
                .isNotEqualTo(Key.deterministicValue("charge", "order-11", "00"));
        assertThat(Key.of("s", value).value()).isEqualTo(value);
    }

    @Test
    void aNaturalValueIsReadableAndNamesTheKeyOfItsDigest() {
        Key readable = Key.of("s", Key.naturalValue("charge", "order-17"));
        Key digested = Key.of("s", Key.deterministicValue("charge", "order-17"));

        assertThat(readable.value()).isEqualTo("@charge:order-17");
        assertThat(readable).isEqualTo(digested).hasSameHashCodeAs(digested);
        assertThat(readable.digest()).isEqualTo(digested.digest());
        assertThat(readable.childValue("psp")).isEqualTo(digested.childValue("psp"));
        assertThat(Key.of("s", "charge:order-17")).isNotEqualTo(readable);
    }

    @Test
    void aNaturalValueThatDoesNotFitIsADigest() {
        for (String name : java.util.List.of("x".repeat(255), "a\nb", "")) {
            assertThat(Key.naturalValue("charge", name)).isEqualTo(Key.deterministicValue("charge", name));
        }
        for (String operation : java.util.List.of("orders:charge", "a=b")) {
            assertThat(Key.naturalValue(operation, "17")).isEqualTo(Key.deterministicValue(operation, "17"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"@", "@charge", "@charge:", "@:17", "@charge=", "@charge=a\"", "@charge=\"a\"b", "@charge=1,"})
    void whatOnlyLooksLikeAReadableValueIsAValueLikeOthers(String value) {
        assertThat(Key.of("s", value).identity()).isEqualTo(value);
    }

    @Test
    void randomValuesDiffer() {
        assertThat(Key.randomValue()).isNotEqualTo(Key.randomValue());
    }

    @Test
    void equalityIsByNamespaceScopeAndValue() {
        assertThat(Key.of("s", "k")).isEqualTo(Key.of("s", "k")).hasSameHashCodeAs(Key.of("s", "k"));
        assertThat(Key.of("s", "k")).isNotEqualTo(Key.of("t", "k")).isNotEqualTo(Key.of("s", "l"));
        assertThat(Key.of("s", "k")).isNotEqualTo(Namespace.parse("v2:default").key("s", "k"));
    }
}
