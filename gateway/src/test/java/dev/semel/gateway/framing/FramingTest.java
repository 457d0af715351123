package dev.semel.gateway.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a message ends does not depend on how its bytes arrive. */
class FramingTest {

    private static final String REQUESTS = "\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n"
            + "POST /b HTTP/1.1\r\nContent-Length: 5\r\n\r\nab\r\nc"
            + "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\na\r\n\r\n0\r\nT: u\r\n\r\n"
            + "POST /d HTTP/1.0\r\nContent-Length: 0\r\n\r\n";

    private static RequestFraming requests() {
        return new RequestFraming(200, () -> true);
    }

    private static void take(Framing framing, String... parts) {
        for (String part : parts) {
            framing.take(Unpooled.copiedBuffer(part, StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void findsEveryRequestHoweverItsBytesAreCut() {
        for (int cut = 0; cut <= REQUESTS.length(); cut++) {
            RequestFraming framing = requests();
            take(framing, REQUESTS.substring(0, cut), REQUESTS.substring(cut));
            assertThat(framing.begun()).as("cut at %s", cut).isEqualTo(4);
        }
        RequestFraming byteByByte = requests();
        take(byteByByte, REQUESTS.split(""));
        assertThat(byteByByte.begun()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
                "GET / HTTP/1.1\r\nX: y\r\n z\r\n\r\n",
                "GET / HTTP/1.1\nX: y\r\n",
            })
    void refusesHoweverTheBytesAreCut(String bytes) {
        for (int cut = 0; cut <= bytes.length(); cut++) {
            int at = cut;
            RequestFraming framing = requests();
            assertThatThrownBy(() -> take(framing, REQUESTS, bytes.substring(0, at), bytes.substring(at)))
                    .as("cut at %s", cut)
                    .isInstanceOf(FramingException.class);
        }
    }

    /** Otherwise enough of it would switch the check off, or hold the memory of a head for ever. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "|\r\n",
                "|x",
                "GET / HTTP/1.1\r\n|X: y\r\n",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n|0",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n|X: y\r\n",
            })
    void refusesAHeadWithoutAnEnd(String startAndRepeated) {
        int bar = startAndRepeated.indexOf('|');

        assertThatThrownBy(() -> take(
                        requests(),
                        startAndRepeated.substring(0, bar),
                        startAndRepeated.substring(bar + 1).repeat(1000)))
                .isInstanceOfSatisfying(
                        FramingException.class, e -> assertThat(e.isTooLong()).isTrue());
    }

    @Test
    void leavesATunnelAlone() {
        boolean[] http = {true};
        RequestFraming framing = new RequestFraming(200, () -> http[0]);
        take(framing, "GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n");
        http[0] = false;

        take(framing, "\n\n\n", "anything");

        assertThat(framing.begun()).isEqualTo(1);
    }

    @Test
    void awaitsOneResponseForEachRequest() {
        ResponseFraming framing = new ResponseFraming(200);
        framing.sent(false);
        take(framing, "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        framing.sent(true);
        take(framing, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n");

        assertThatThrownBy(() -> take(framing, "ok")).isInstanceOf(FramingException.class);
    }
}
