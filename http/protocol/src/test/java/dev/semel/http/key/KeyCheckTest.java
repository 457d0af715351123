package dev.semel.http.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyCheckTest {

    private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

    /** What is wrong with a key: nothing, its form, or its age. */
    private static String verdict(KeyCheck check, String key, String... timeHeader) {
        KeyCheck.@Nullable Defect defect = check.check(key, name -> List.of(timeHeader), InstantSource.fixed(NOW));
        return defect == null ? "fine" : defect.expired() ? "expired" : "invalid";
    }

    private static String uuidV7(Instant time) {
        String millis = String.format("%012x", time.toEpochMilli());
        return millis.substring(0, 8) + "-" + millis.substring(8) + "-7abc-8def-0123456789ab";
    }

    private static String ulid(Instant time) {
        StringBuilder ulid = new StringBuilder("ABCDEFGHJKMNPQRS");
        for (long millis = time.toEpochMilli(), i = 0; i < 10; i++, millis /= 32) {
            ulid.insert(0, "0123456789ABCDEFGHJKMNPQRSTVWXYZ".charAt((int) (millis % 32)));
        }
        return ulid.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "any, anything, fine",
        "uuid, 8e03978e-40d5-43e8-bc93-6894a57f9324, fine",
        "uuid, 8E03978E-40D5-43E8-BC93-6894A57F9324, fine",
        "uuid, 8e03978e40d543e8bc936894a57f9324, invalid",
        "uuidv4, 8e03978e-40d5-43e8-bc93-6894a57f9324, fine",
        "uuidv4, 8e03978e-40d5-73e8-bc93-6894a57f9324, invalid",
        "uuidv7, 8e03978e-40d5-73e8-bc93-6894a57f9324, fine",
        "uuidv7, 8e03978e-40d5-73e8-cc93-6894a57f9324, invalid",
        "ulid, 01ARZ3NDEKTSV4RRFFQ69G5FAV, fine",
        "ulid, 81ARZ3NDEKTSV4RRFFQ69G5FAV, invalid",
        "ulid, 01ARZ3NDEKTSV4RRFFQ69G5FAU, invalid",
        "pattern:[a-z]{3}-[0-9]+, abc-17, fine",
        "pattern:[a-z]{3}-[0-9]+, abc-17x, invalid",
        "entropy:64, 8e03978e-40d5-43e8-bc93-6894a57f9324, fine",
        "entropy:64, order-17, invalid",
        "entropy:1, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, invalid"
    })
    void keysHaveAForm(String format, String key, String verdict) {
        assertThat(verdict(KeyCheck.of(format), key)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "uuidv1", "pattern:(", "entropy:", "entropy:many", "entropy:9999"})
    void whatIsNoFormIsRefused(String format) {
        assertThatThrownBy(() -> KeyCheck.of(format)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Without a bound, this takes longer than the universe is old. */
    @Test
    @Timeout(20)
    void aPatternThatBacktracksCostsOneRefusalAndNoMore() {
        KeyCheck check = KeyCheck.of("pattern:(a+)+b");

        assertThat(verdict(check, "aaab")).isEqualTo("fine");
        assertThat(verdict(check, "a".repeat(255))).isEqualTo("invalid");
        assertThat(verdict(KeyCheck.of("pattern:(.|a)*"), "a".repeat(255))).isIn("fine", "invalid");
    }

    @Test
    void aKeyNeverStandsInTheComplaintAboutIt() {
        assertThat(KeyCheck.of("uuid").check("secret-key", name -> List.of(), InstantSource.fixed(NOW)))
                .extracting(KeyCheck.Defect::detail)
                .asString()
                .doesNotContain("secret-key");
    }

    @Test
    void aTimeInTheKeyBoundsItsAge() {
        for (boolean uuid : new boolean[] {true, false}) {
            KeyCheck check = KeyCheck.of(uuid ? "uuidv7" : "ulid").withMaxAge(Duration.ofHours(1));
            assertThat(verdict(check, key(uuid, NOW))).isEqualTo("fine");
            assertThat(verdict(check, key(uuid, NOW.minus(Duration.ofMinutes(65)))))
                    .as("old, within the tolerance")
                    .isEqualTo("fine");
            assertThat(verdict(check, key(uuid, NOW.minus(Duration.ofMinutes(66)))))
                    .isEqualTo("expired");
            assertThat(verdict(check, key(uuid, NOW.plus(Duration.ofMinutes(5)))))
                    .as("of a clock that is ahead")
                    .isEqualTo("fine");
            assertThat(verdict(check, key(uuid, NOW.plus(Duration.ofMinutes(6)))))
                    .isEqualTo("invalid");
        }
    }

    private static String key(boolean uuid, Instant time) {
        return uuid ? uuidV7(time) : ulid(time);
    }

    @Test
    void aTimeInAHeaderBoundsTheAgeOfAnyKey() {
        KeyCheck check = KeyCheck.any()
                .withTimeHeader("Repeatability-First-Sent")
                .withMaxAge(Duration.ofHours(1))
                .withTolerance(Duration.ZERO);

        assertThat(verdict(check, "k", "Wed, 18 Nov 2026 11:00:00 GMT")).isEqualTo("fine");
        assertThat(verdict(check, "k", "Wed, 18 Nov 2026 10:59:59 GMT")).isEqualTo("expired");
        assertThat(verdict(check, "k", "Wed, 18 Nov 2026 12:00:01 GMT")).isEqualTo("invalid");
        assertThat(verdict(check, "k")).isEqualTo("invalid");
        assertThat(verdict(check, "k", "yesterday")).isEqualTo("invalid");
        assertThat(verdict(check, "k", "Wed, 18 Nov 2026 11:00:00 GMT", "Wed, 18 Nov 2026 11:30:00 GMT"))
                .isEqualTo("invalid");
    }

    @Test
    void anAgeThatOutlivesWhatIsStoredIsRefused() {
        KeyCheck check = KeyCheck.of("uuidv7").withMaxAge(Duration.ofHours(24));

        check.requireWithin(Duration.ofHours(25));
        assertThatThrownBy(() -> check.requireWithin(Duration.ofHours(24)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT24H10M");
        assertThatThrownBy(() ->
                        KeyCheck.of("uuid").withMaxAge(Duration.ofHours(1)).requireWithin(Duration.ofDays(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("uuidv7");
    }
}
