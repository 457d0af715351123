package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdempotentRequestsTest {

    private final IdempotentRequests inBody =
            IdempotentRequests.builder().bodyMember("id").build();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | {\"id\":\"k\"}",
                "{ } | {\"id\":\"k\" }",
                "{\"a\":1} | {\"id\":\"k\",\"a\":1}",
                "{\"id\":\"own\"} | {\"id\":\"own\"}"
            })
    void aKeyBecomesTheFirstMemberUnlessTheBodyHasOne(String body, String expected) {
        assertThat(text(inBody.body("k", bytes(body)))).isEqualTo(expected);
    }

    @Test
    void aBodyThatHasAKeyKeepsIt() {
        assertThat(inBody.key(null, bytes("{\"id\":\"own\"}"))).isEqualTo("own");
        assertThat(inBody.header()).isEmpty();
    }

    @Test
    void aBodyThatIsNoObjectIsRefused() {
        assertThatThrownBy(() -> inBody.body("k", bytes("[1]")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"id\"");
    }

    @Test
    void aMemberThatWouldNeedEscapingIsRefused() {
        assertThatThrownBy(() -> IdempotentRequests.builder().bodyMember("a\"b"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRequestThatHasAKeyKeepsIt() {
        assertThat(IdempotentRequests.builder().build().key("\"own\"", bytes("")))
                .isEqualTo("\"own\"");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
