package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Header;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayHeadersTest {

    @Test
    void p9KeepsWhatIsOnTheListInAnyCase() {
        List<Header> headers = List.of(
                new Header("content-type", "a"),
                new Header("ETAG", "b"),
                new Header("Set-Cookie", "c"),
                new Header("X-Own", "d"),
                new Header("Link", "e"),
                new Header("Link", "f"));

        assertThat(ReplayHeaders.standard().of(headers))
                .extracting(Header::value)
                .containsExactly("a", "b", "e", "f");
        assertThat(ReplayHeaders.standard().and("x-own").of(headers))
                .extracting(Header::value)
                .containsExactly("a", "b", "d", "e", "f");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set-Cookie",
                "set-cookie",
                "Connection",
                "Transfer-Encoding",
                "Date",
                "traceparent",
                "Content-Length"
            })
    void p9RefusesHeadersThatBelongToOneMessageOrSession(String name) {
        assertThatThrownBy(() -> ReplayHeaders.standard().and(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }
}
