package dev.semel.http.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignatureSchemeTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_614_265_330);

    private static boolean standard(String secret, Map<String, String> headers, String body, Instant now) {
        SignatureScheme scheme = SignatureScheme.STANDARD_WEBHOOKS;
        return scheme.isSigned(
                name -> headers.containsKey(name) ? List.of(headers.get(name)) : List.of(),
                body.getBytes(StandardCharsets.UTF_8),
                List.of(scheme.key(secret)),
                now);
    }

    /** The example of the Standard Webhooks specification. */
    @Test
    void verifiesTheExampleOfTheSpecification() {
        Map<String, String> headers = Map.of(
                "webhook-id",
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                "webhook-timestamp",
                "1614265330",
                "webhook-signature",
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

        assertThat(standard(secret, headers, "{\"test\": 2432232314}", NOW)).isTrue();
        assertThat(standard(secret, headers, "{\"test\": 2432232315}", NOW)).isFalse();
        assertThat(standard(secret, headers, "{\"test\": 2432232314}", NOW.plusSeconds(301)))
                .isFalse();
        assertThat(standard(secret, headers, "{\"test\": 2432232314}", NOW.minusSeconds(301)))
                .isFalse();
    }

    /** The example of GitHub's documentation. */
    @Test
    void verifiesTheExampleOfGitHub() {
        SignatureScheme scheme = SignatureScheme.GITHUB;
        byte[] body = "Hello, World!".getBytes(StandardCharsets.UTF_8);
        List<byte[]> keys = List.of(scheme.key("It's a Secret to Everybody"));

        assertThat(scheme.isSigned(
                        name -> List.of("sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"),
                        body,
                        keys,
                        NOW))
                .isTrue();
        for (String wrong : List.of(
                "", "sha256=", "sha256=zz", "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17")) {
            assertThat(scheme.isSigned(name -> List.of(wrong), body, keys, NOW))
                    .as(wrong)
                    .isFalse();
        }
        assertThat(scheme.isSigned(name -> List.of(), body, keys, NOW)).isFalse();
        assertThat(scheme.isSigned(name -> List.of("sha256=00", "sha256=00"), body, keys, NOW))
                .isFalse();
    }

    @Test
    void refusesWhatCannotBeRead() {
        for (String signature : List.of("", "v1,", "v1,%%%", "v1", "v1a,AAAA", "v1,AAAA ".repeat(1000))) {
            assertThat(standard(
                            "whsec_AAAA",
                            Map.of(
                                    "webhook-id",
                                    "a",
                                    "webhook-timestamp",
                                    Long.toString(NOW.getEpochSecond()),
                                    "webhook-signature",
                                    signature),
                            "{}",
                            NOW))
                    .isFalse();
        }
        for (String time : List.of("", "-1", "1e9", "99999999999999999999", "soon")) {
            assertThat(standard("whsec_AAAA", Map.of("webhook-timestamp", time), "{}", NOW))
                    .isFalse();
        }
        assertThatThrownBy(() -> SignatureScheme.STANDARD_WEBHOOKS.key("whsec_not base64"))
                .hasMessageContaining("Base64")
                .hasMessageNotContaining("not base64");
    }
}
