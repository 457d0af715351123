package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.TestUpstream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class UpstreamFailuresTest {

    private static TestUpstream upstream;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        upstream = new TestUpstream();
        gateway = TestGateway.start(upstream.url(), "timeout", "500ms");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
    }

    private static void assertUnknown(HttpResponse<String> response, int status, String type) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.body())
                .contains("urn:semel:problem:" + type)
                .contains("\"outcome\":\"unknown\"")
                .contains("\"retry\":\"same-key\"");
    }

    private static void assertHeld(String path, String key) {
        HttpResponse<String> retry = gateway.post(path, key, "{}");
        assertThat(retry.statusCode()).isEqualTo(409);
        assertThat(retry.body()).contains("urn:semel:problem:outcome-unknown");
        assertThat(upstream.effects(key)).isEqualTo(1);
    }

    @Test
    void doesNotKnowWhatAnUpstreamDidThatDoesNotAnswerInTime() {
        assertUnknown(gateway.post("/never", "late", "{}"), 504, "upstream-timed-out");

        assertHeld("/never", "late");
    }

    @Test
    void doesNotKnowWhatAnUpstreamDidThatClosesTheConnection() {
        assertUnknown(gateway.post("/break", "broken", "{}"), 502, "upstream-interrupted");

        assertHeld("/break", "broken");
    }

    @Test
    void doesNotKnowWhatAnUpstreamDidWhoseAnswerBreaksOff() {
        assertUnknown(gateway.post("/break-midway", "half", "{}"), 502, "upstream-interrupted");

        assertHeld("/break-midway", "half");
    }

    @Test
    void releasesTheKeyWhenNothingListens() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (TestGateway lonely = TestGateway.start("http://127.0.0.1:" + port)) {
            assertNotExecuted(lonely.post("/charges", "k", "{}"));
            assertNotExecuted(lonely.post("/charges", "k", "{}"));
        }
    }

    @Test
    void releasesTheKeyWhenTheNameDoesNotResolve() {
        try (TestGateway lost = TestGateway.start("http://no-such-host.invalid:1")) {
            assertNotExecuted(lost.post("/charges", "k", "{}"));
            assertNotExecuted(lost.post("/charges", "k", "{}"));
        }
    }

    private static void assertNotExecuted(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(502);
        assertThat(response.body())
                .contains("urn:semel:problem:upstream-unreachable")
                .contains("\"outcome\":\"not-applied\"");
    }

    @Test
    void refusesWhatFindsNoConnectionFreeWithoutRunningIt() {
        try (TestGateway narrow =
                TestGateway.start(upstream.url(), "upstream-connections", "1", "max-queue", "1", "event-loops", "1")) {
            var first = narrow.postAsync("/hold", "narrow-1", "{}");
            await().until(() -> upstream.effects("narrow-1") == 1);
            var second = narrow.postAsync("/hold", "narrow-2", "{}");
            await().until(() -> narrow.admin("/api/overview").body().contains("\"running\":2"));

            HttpResponse<String> third = narrow.post("/hold", "narrow-3", "{}");

            assertThat(third.statusCode()).isEqualTo(503);
            assertThat(third.body()).contains("urn:semel:problem:not-executed");
            assertThat(upstream.effects("narrow-3")).isZero();
            await().until(() -> {
                upstream.releaseAll();
                return first.isDone() && second.isDone();
            });
        }
    }

    @Test
    void runsAgainAfterATimeoutWhereTheOperationIsReEntrant() {
        try (TestGateway again =
                TestGateway.start(upstream.url(), "timeout", "500ms", "recovery", "re-execute", "lease", "500ms")) {
            assertThat(again.post("/never", "again", "{}").statusCode()).isEqualTo(504);
            assertThat(again.post("/never", "again", "{}").statusCode()).isEqualTo(409);

            await().until(() -> again.post("/never", "again", "{}").statusCode() == 504);
            assertThat(upstream.effects("again")).isEqualTo(2);
        }
    }

    @Test
    void settlesAsFailedAfterATimeoutWhereThatIsThePolicy() {
        try (TestGateway fails =
                TestGateway.start(upstream.url(), "timeout", "500ms", "recovery", "fail", "lease", "500ms")) {
            assertThat(fails.post("/never", "fails", "{}").statusCode()).isEqualTo(504);

            await().until(() -> fails.post("/never", "fails", "{}").statusCode() == 500);
            assertThat(upstream.effects("fails")).isEqualTo(1);
        }
    }

    @Test
    void asksTheReconcilerWhatHappened() {
        upstream.answerReconciler(
                "known", "{\"verdict\":\"done\",\"status\":201,\"contentType\":\"text/plain\",\"body\":\"charged\"}");
        upstream.answerReconciler("unsent", "{\"verdict\":\"not-executed\"}");
        upstream.answerReconciler("nonsense", "{\"verdict\":\"perhaps\"}");
        try (TestGateway asks = TestGateway.start(
                upstream.url(),
                "recovery",
                "reconcile",
                "reconcile-url",
                upstream.url() + "/reconcile",
                "timeout",
                "2s",
                "lease",
                "500ms")) {
            asks.post("/never", "known", "{}");
            asks.post("/break", "unsent", "{}");
            asks.post("/never", "nonsense", "{}");

            await().until(() -> asks.post("/never", "known", "{}").body().equals("charged"));
            await().until(() -> asks.post("/break", "unsent", "{}").statusCode() == 502);
            await().until(() -> asks.post("/never", "nonsense", "{}").body().contains("outcome-unknown"));

            assertThat(upstream.effects("known")).isEqualTo(1);
            assertThat(upstream.effects("unsent")).isEqualTo(2);
            assertThat(upstream.effects("nonsense")).isEqualTo(1);
        }
    }

    @Test
    void tellsAClientOfAnUnprotectedRequestToo() {
        assertThat(gateway.get("/never").statusCode()).isEqualTo(504);
        assertThat(gateway.get("/break").statusCode()).isEqualTo(502);
    }
}
