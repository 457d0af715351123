package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Header;
import dev.semel.Outcome;
import dev.semel.gateway.RawHttp;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.Claim;
import dev.semel.spi.KeyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stored response that HTTP cannot say is answered all the same, and takes no room afterwards. */
class UnwritableReplayTest {

    /** A store in which every key has this outcome. */
    private static KeyStore settledWith(Outcome outcome) {
        InMemoryKeyStore store = InMemoryKeyStore.create();
        return (KeyStore) Proxy.newProxyInstance(
                UnwritableReplayTest.class.getClassLoader(),
                new Class<?>[] {KeyStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("claim")) {
                        return CompletableFuture.completedFuture(Claim.Settled.builder(
                                        outcome, Instant.now(), Instant.now().plusSeconds(60), 1)
                                .traceId("trace")
                                .build());
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @CsvSource({"200, 'a\r\nX-Forged: yes'", "200, 'a\u0000b'", "99, fine", "100, fine", "101, fine", "600, fine"})
    void isAnsweredWithAnErrorAndGivesItsRoomBack(int status, String value) throws Exception {
        Outcome outcome = Outcome.succeeded()
                .status(status)
                .headers(List.of(new Header("Location", value)))
                .payload("{}")
                .build();
        try (TestUpstream upstream = new TestUpstream();
                TestGateway gateway = TestGateway.start(settledWith(outcome), upstream.url())) {
            String answer =
                    RawHttp.exchange(gateway.gateway.port(), RawHttp.request("POST", "/charges", "Idempotency-Key: k"));

            assertThat(answer).startsWith("HTTP/1.1 500 ").doesNotContain("X-Forged");
            await().until(() -> gateway.admin("/api/overview").body(), body -> body.contains("\"bufferedBytes\":0"));
        }
    }
}
