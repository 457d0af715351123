package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the gateway adds to the protocol, which {@link GatewayConformanceTest} holds it to. */
class ProtectedRequestsTest {

    private static TestUpstream upstream;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        upstream = new TestUpstream();
        gateway = TestGateway.start(upstream.url(), "max-response", "1000", "max-body", "1000", "wait", "20s");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
    }

    @Test
    void p9ReplaysTheStoredResponse() {
        HttpResponse<String> first = gateway.post("/charges", "p9", "{\"a\":1}");
        HttpResponse<String> second = gateway.post("/charges", "p9", "{\"a\":1}");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(first.headers().firstValue("Set-Cookie")).isPresent();
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body()).isEqualTo("{\"key\":\"p9\",\"run\":1}");
        assertThat(second.headers().firstValue("Location")).hasValue("/charges/p9");
        assertThat(second.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(second.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertThat(upstream.effects("p9")).isEqualTo(1);
    }

    @Test
    void p9RunsOnceHoweverManyArriveTogether() {
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(gateway.postAsync("/charges", "together", "{}", "Prefer", "wait=15"));
        }

        assertThat(all).allSatisfy(each -> {
            assertThat(each.join().statusCode()).isEqualTo(201);
            assertThat(each.join().body()).isEqualTo("{\"key\":\"together\",\"run\":1}");
        });
        assertThat(upstream.effects("together")).isEqualTo(1);
    }

    @Test
    void p13SendsAResponseThatIsTooLargeToKeepWholeAndDoesNotRunItAgain() {
        HttpResponse<String> first = gateway.post("/big?bytes=300000", "p13", "{}");
        HttpResponse<String> second = gateway.post("/big?bytes=300000", "p13", "{}");

        assertThat(first.body()).hasSize(300_000);
        assertThat(second.body()).contains("urn:semel:problem:response-not-retained");
        assertThat(upstream.effects("p13")).isEqualTo(1);
    }

    @Test
    void refusesABodyThatIsTooLarge() {
        HttpResponse<String> response = gateway.post("/charges", "too-large", "\"" + "x".repeat(2000) + "\"");

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(response.body()).contains("urn:semel:problem:request-too-large");
        assertThat(upstream.effects("too-large")).isZero();
    }

    @Test
    void tellsTheUpstreamTheKeyTheAttemptAndTheFencingToken() {
        HttpResponse<String> response =
                gateway.post("/echo", "fenced", "{}", "Semel-Fencing-Token", "999", "Semel-Attempt", "7");

        assertThat(response.body())
                .contains("\"idempotency-key\":\"fenced\"")
                .contains("\"semel-attempt\":\"1\"")
                .containsPattern("\"semel-fencing-token\":\"[1-9][0-9]*\"")
                .doesNotContain("999");
    }
}
