package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DrainTest {

    @Test
    void letsRunningRequestsEndAndTakesNoNewOnes() {
        try (TestUpstream upstream = new TestUpstream()) {
            TestGateway gateway = TestGateway.start(upstream.url(), "drain", "30s");
            int port = gateway.gateway.port();
            CompletableFuture<HttpResponse<String>> running = gateway.postAsync("/hold", "drained", "{}");
            await().until(() -> upstream.effects("drained") == 1);

            CompletableFuture<Void> closed = CompletableFuture.runAsync(gateway::close);

            await().untilAsserted(
                            () -> assertThat(gateway.admin("/ready").body()).isEqualTo("{\"status\":\"draining\"}"));
            await().untilAsserted(() -> assertThatThrownBy(() -> new Socket("127.0.0.1", port).close())
                    .isInstanceOf(IOException.class));
            assertThat(closed).isNotDone();
            upstream.releaseAll();

            assertThat(running.join().statusCode()).isEqualTo(201);
            closed.join();
        }
    }
}
