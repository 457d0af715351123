package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.client.response.JsonMembers;
import dev.semel.client.response.RetryAfter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallPartsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Map<String, String> members(String json) {
        return JsonMembers.read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsTheStringMembersOfAnObjectAndPassesOverOthers() {
        assertThat(members(" { \"a\" : \"x\\n\\u00e9\\\"\" , \"n\":[1,{\"b\":\"no\"},[]],\"t\":true, \"o\":{\"c\":{}},"
                        + "\"f\":-1.5e3,\"z\":\"\" } "))
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", "x\né\"", "z", ""));
        assertThat(members("{}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>",
                "[\"a\"]",
                "{\"a\":\"b\"",
                "{\"a\" \"b\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":}",
                "{\"a\":\"\\x\"}",
                "{,}"
            })
    void takesNothingFromWhatIsNoObject(String text) {
        assertThat(members(text)).isEmpty();
    }

    @Test
    void takesNothingFromAnObjectThatIsNestedTooDeeply() {
        assertThat(members("{\"a\":" + "[".repeat(5000) + "]".repeat(5000) + "}"))
                .isEmpty();
    }

    @Test
    void readsBothFormsOfRetryAfter() {
        assertThat(RetryAfter.parse(" 7 ", NOW)).contains(Duration.ofSeconds(7));
        assertThat(RetryAfter.parse("Thu, 01 Jan 2026 00:00:30 GMT", NOW)).contains(Duration.ofSeconds(30));
        assertThat(RetryAfter.parse("Thu, 01 Jan 2015 00:00:30 GMT", NOW)).contains(Duration.ZERO);
        assertThat(RetryAfter.parse("soon", NOW)).isEmpty();
        assertThat(RetryAfter.parse("-1", NOW)).isEmpty();
    }

    @Test
    void derivesTheSameKeyFromTheSamePartsAlone() {
        String key = OperationKeys.derived("refund", "order-1", "2");

        assertThat(OperationKeys.derived("refund", "order-1", "2")).isEqualTo(key);
        assertThat(OperationKeys.derived("refund", "order-12", "")).isNotEqualTo(key);
        assertThat(OperationKeys.derived("refund", "order-1" + "2")).isNotEqualTo(key);
        assertThat(KeyFormat.BARE.write(key)).isEqualTo(key);
        assertThat(OperationKeys.random()).isNotEqualTo(OperationKeys.random());
    }

    @Test
    void writesKeysAsStructuredFieldStringsOrBare() {
        assertThat(KeyFormat.QUOTED.write("a\"b\\c")).isEqualTo("\"a\\\"b\\\\c\"");
        assertThatThrownBy(() -> KeyFormat.BARE.write("two words")).hasMessageContaining("\"two words\"");
    }

    @Test
    void refusesKeysThatCannotBeSent() {
        assertThatThrownBy(() -> OperationKeys.valid("")).hasMessageContaining("1 to 255");
        assertThatThrownBy(() -> OperationKeys.valid("k".repeat(256))).hasMessageContaining("has 256");
        assertThatThrownBy(() -> OperationKeys.valid("k\u00e9y")).hasMessageContaining("printable ASCII");
    }

    @Test
    void refusesADeadlineThatIsShorterThanOneAttempt() {
        assertThatThrownBy(() -> RetryPolicy.builder()
                        .attemptTimeout(Duration.ofSeconds(10))
                        .deadline(Duration.ofSeconds(5))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the deadline for all attempts (PT5S) is shorter than one attempt may take (PT10S): raise"
                        + " deadline or lower attemptTimeout");
    }

    @Test
    void delaysGrowUpToTheLongestAndAreARandomPartOfIt() {
        RetryPolicy policy = RetryPolicy.builder()
                .delays(Duration.ofMillis(100), Duration.ofSeconds(1))
                .build();

        assertThat(policy.delay(1, 1)).isEqualTo(Duration.ofMillis(100));
        assertThat(policy.delay(3, 1)).isEqualTo(Duration.ofMillis(400));
        assertThat(policy.delay(3, 0.25)).isEqualTo(Duration.ofMillis(100));
        assertThat(policy.delay(9, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(policy.delay(5000, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(policy.delay(9, 0)).isZero();
    }
}
