package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The protocol through real sockets; the names of the tests begin with the points of the protocol they hold. */
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
    void p2TakesTheQuotedAndTheBareFormForTheSameKey() {
        gateway.post("/charges", "p2", "{}");

        assertThat(gateway.post("/charges", "\"p2\"", "{}").headers().firstValue("X-Idempotency-Replayed"))
                .hasValue("true");
    }

    @Test
    void p3RefusesAMalformedKeyAndRunsNothing() {
        int before = upstream.allEffects();

        HttpResponse<String> response = gateway.post("/charges", "\"broken", "{}");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("urn:semel:problem:key-invalid");
        assertThat(upstream.allEffects()).isEqualTo(before);
    }

    @Test
    void p3RefusesTwoKeys() {
        HttpResponse<String> response =
                gateway.send(gateway.request("/charges", "p3a", "{}").header("Idempotency-Key", "p3b"));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(upstream.effects("p3a") + upstream.effects("p3b")).isZero();
    }

    @Test
    void p4LeavesOtherMethodsAlone() {
        HttpRequest.Builder put = HttpRequest.newBuilder(gateway.uri("/echo"))
                .header("Idempotency-Key", "p4")
                .PUT(BodyPublishers.ofString("x"));

        gateway.send(put);

        assertThat(gateway.send(put).headers().firstValue("X-Idempotency-Replayed"))
                .isEmpty();
    }

    @Test
    void p5PassesARequestWithoutKeyThrough() {
        HttpResponse<String> response =
                gateway.send(HttpRequest.newBuilder(gateway.uri("/charges")).POST(BodyPublishers.ofString("{}")));

        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(response.headers().firstValue("Set-Cookie")).isPresent();
    }

    @Test
    void p6TakesAnotherSpellingOfTheSameJsonForARetry() {
        gateway.post("/charges", "p6", "{\"a\":1,\"b\":2}");

        assertThat(gateway.post("/charges", "p6", "{ \"b\": 2, \"a\": 1.0 }").statusCode())
                .isEqualTo(201);
        assertThat(upstream.effects("p6")).isEqualTo(1);
    }

    @Test
    void p7TellsAnotherRequestFromARetryAlsoWhileTheFirstRuns() {
        CompletableFuture<HttpResponse<String>> first = gateway.postAsync("/hold", "p7", "{\"a\":1}");
        await().until(() -> upstream.effects("p7") == 1);

        HttpResponse<String> other = gateway.post("/hold", "p7", "{\"a\":2}");
        upstream.releaseAll();

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains("urn:semel:problem:key-reused");
        assertThat(first.join().statusCode()).isEqualTo(201);
    }

    @Test
    void p8TellsADuplicateWhenToComeBack() {
        CompletableFuture<HttpResponse<String>> first = gateway.postAsync("/hold", "p8", "{}");
        await().until(() -> upstream.effects("p8") == 1);

        HttpResponse<String> duplicate = gateway.post("/hold", "p8", "{}");
        upstream.releaseAll();

        assertThat(duplicate.statusCode()).isEqualTo(409);
        assertThat(duplicate.headers().firstValueAsLong("Retry-After").orElse(0))
                .isPositive();
        assertThat(first.join().statusCode()).isEqualTo(201);
        assertThat(upstream.effects("p8")).isEqualTo(1);
    }

    @Test
    void p8LetsADuplicateWaitWhenItAsksTo() {
        CompletableFuture<HttpResponse<String>> first = gateway.postAsync("/hold", "p8w", "{}");
        await().until(() -> upstream.effects("p8w") == 1);
        CompletableFuture<HttpResponse<String>> duplicate =
                gateway.postAsync("/hold", "p8w", "{}", "Prefer", "wait=15");

        upstream.releaseAll();

        assertThat(duplicate.join().statusCode()).isEqualTo(201);
        assertThat(duplicate.join().body()).isEqualTo(first.join().body());
        assertThat(upstream.effects("p8w")).isEqualTo(1);
    }

    @Test
    void p9ReplaysTheStoredResponse() {
        HttpResponse<String> first = gateway.post("/charges", "p9", "{\"a\":1}");
        HttpResponse<String> second = gateway.post("/charges", "p9", "{\"a\":1}");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.headers().firstValue("X-Idempotency-Replayed")).isEmpty();
        assertThat(first.headers().firstValue("Set-Cookie")).isPresent();
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body()).isEqualTo("{\"key\":\"p9\",\"run\":1}");
        assertThat(second.headers().firstValue("Location")).hasValue("/charges/p9");
        assertThat(second.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(second.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(second.headers().firstValue("X-Idempotency-Replayed")).hasValue("true");
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
    void p12StoresAnErrorOfTheUpstream() {
        gateway.post("/status/500", "p12", "{}");

        assertThat(gateway.post("/status/500", "p12", "{}").statusCode()).isEqualTo(500);
        assertThat(upstream.effects("p12")).isEqualTo(1);
    }

    @Test
    void p12LetsTheSameKeyTryAgainAfterARefusal() {
        gateway.post("/status/429", "p12r", "{}");

        assertThat(gateway.post("/status/429", "p12r", "{}").headers().firstValue("X-Idempotency-Replayed"))
                .isEmpty();
        assertThat(upstream.effects("p12r")).isEqualTo(2);
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
    void p14GoesOnWhenTheClientHasGone() {
        CompletableFuture<HttpResponse<String>> first = gateway.postAsync("/hold", "p14", "{}");
        await().until(() -> upstream.effects("p14") == 1);
        first.cancel(true);

        upstream.releaseAll();

        await().untilAsserted(() -> assertThat(
                        gateway.post("/hold", "p14", "{}").headers().firstValue("X-Idempotency-Replayed"))
                .hasValue("true"));
        assertThat(upstream.effects("p14")).isEqualTo(1);
    }

    @Test
    void p15ReplaysAnEmptyBody() {
        gateway.post("/big?bytes=0", "p15", "{}");

        HttpResponse<String> second = gateway.post("/big?bytes=0", "p15", "{}");

        assertThat(second.body()).isEmpty();
        assertThat(second.headers().firstValue("X-Idempotency-Replayed")).hasValue("true");
        assertThat(upstream.effects("p15")).isEqualTo(1);
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
