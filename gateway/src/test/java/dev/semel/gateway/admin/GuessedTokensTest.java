package dev.semel.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.RawHttp;
import dev.semel.gateway.TestGateway;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Guessing the admin token is slow, and does not shut out those who have it. */
class GuessedTokensTest {

    private static final String GUESSER = "127.0.0.1";
    private static final String ELSEWHERE = "127.0.0.9";
    private static final Pattern RETRY_AFTER = Pattern.compile("(?i)\r\nretry-after: ([0-9]+)\r\n");

    private TestGateway gateway;

    @BeforeEach
    void start() {
        gateway = TestGateway.start("http://127.0.0.1:1", "admin-token", "sesame");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private static String request(String token, String connection) {
        return "GET /api/clients HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\nConnection: "
                + connection + "\r\n\r\n";
    }

    private String ask(String from, String token) throws IOException {
        return RawHttp.exchange(from, gateway.gateway.adminPort(), request(token, "close"));
    }

    private static int status(String answer) {
        assertThat(answer).startsWith("HTTP/1.1 ");
        return Integer.parseInt(answer.substring(9, 12));
    }

    private Map<Integer, Integer> guess(int times) throws IOException {
        Map<Integer, Integer> statuses = new HashMap<>();
        for (int i = 0; i < times; i++) {
            statuses.merge(status(ask(GUESSER, "guess-" + i)), 1, Integer::sum);
        }
        return statuses;
    }

    @Test
    void fewGuessesOfManyAreLookedAt() throws IOException {
        Map<Integer, Integer> statuses = guess(500);

        assertThat(statuses).containsOnlyKeys(401, 429);
        assertThat(statuses.get(401)).isBetween(5, 20);
        assertThat(ask(GUESSER, "sesame"))
                .as("the right token does not tell itself")
                .startsWith("HTTP/1.1 429 ");
    }

    @Test
    void aGuesserGetsARetryAfterAndMayComeBackThen() throws IOException {
        guess(5);
        String refused = ask(GUESSER, "sesame");

        Matcher seconds = RETRY_AFTER.matcher(refused);
        assertThat(refused).startsWith("HTTP/1.1 429 ");
        assertThat(seconds.find()).as(refused).isTrue();
        assertThat(Integer.parseInt(seconds.group(1))).isBetween(1, 60);
        await().until(() -> status(ask(GUESSER, "sesame")) == 200);
    }

    @Test
    void otherAddressesAreNotShutOut() throws IOException {
        guess(20);

        assertThat(ask(ELSEWHERE, "sesame")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void requestsWithoutATokenAreNoGuesses() throws IOException {
        for (int i = 0; i < 20; i++) {
            assertThat(RawHttp.exchange(
                            gateway.gateway.adminPort(),
                            "GET /api/clients HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 401 ");
        }

        assertThat(ask(GUESSER, "sesame")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void aConnectionThatHasShownTheTokenGoesOnWorking() throws IOException {
        try (Socket operator = new Socket(InetAddress.getLoopbackAddress(), gateway.gateway.adminPort())) {
            operator.setSoTimeout(10_000);
            assertThat(onConnection(operator, "sesame")).startsWith("HTTP/1.1 200 ");
            guess(20);
            assertThat(ask(GUESSER, "sesame")).startsWith("HTTP/1.1 429 ");

            assertThat(onConnection(operator, "sesame")).startsWith("HTTP/1.1 200 ");
            assertThat(onConnection(operator, "guess")).startsWith("HTTP/1.1 401 ");
            assertThat(onConnection(operator, "sesame"))
                    .as("after a wrong token on it")
                    .startsWith("HTTP/1.1 429 ");
        }
    }

    /** Sends one request on a connection that stays open, and reads the whole answer. */
    private static String onConnection(Socket socket, String token) throws IOException {
        socket.getOutputStream().write(request(token, "keep-alive").getBytes(StandardCharsets.ISO_8859_1));
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            assertThat(c).as("after " + head).isNotNegative();
            head.append((char) c);
        }
        Matcher length = Pattern.compile("(?i)\r\ncontent-length: ([0-9]+)\r\n").matcher(head);
        assertThat(length.find()).as(head.toString()).isTrue();
        in.readNBytes(Integer.parseInt(length.group(1)));
        return head.toString();
    }
}
