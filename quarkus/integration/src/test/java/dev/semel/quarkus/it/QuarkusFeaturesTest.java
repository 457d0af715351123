package dev.semel.quarkus.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is special about Quarkus REST: threads, mappers, interceptors, asynchronous methods. */
@QuarkusTest
class QuarkusFeaturesTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TestHTTPResource("/own/")
    URI uri;

    private String key = "";

    @BeforeEach
    void reset() {
        key = UUID.randomUUID().toString();
        OwnResource.RUNS.set(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text on a worker", "uni on an event loop"})
    void aResourceMethodReadsTheBodyThatWasCompared(String kind) throws Exception {
        String path = kind.substring(0, kind.indexOf(' '));
        String where = kind.substring(path.length());
        assertThat(post(path, "a body").body()).isEqualTo("a body in run 1" + where);
        assertThat(post(path, "a body").body()).isEqualTo("a body in run 1" + where);
        assertThat(post(path, "another").statusCode()).isEqualTo(422);
    }

    /** It is in a file, which no event loop may read. */
    @ParameterizedTest
    @ValueSource(strings = {"text on a worker", "uni on an event loop"})
    void aLargeBodyIsReadTooAndATooLargeOneRefused(String kind) throws Exception {
        String path = kind.substring(0, kind.indexOf(' '));
        assertThat(post(path, "x".repeat(SampleBeans.MAX_BODY + 1)).statusCode())
                .isEqualTo(413);
        String large = "x".repeat(SampleBeans.MAX_BODY);
        assertThat(post(path, large).body()).isEqualTo(large + " in run 1" + kind.substring(path.length()));
        assertThat(isReplay(post(path, large))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"form on a worker", "uni-form on an event loop"})
    void aFormIsReadFromTheBodyThatWasCompared(String kind) throws Exception {
        String path = kind.substring(0, kind.indexOf(' '));
        String expected = "12 in run 1" + kind.substring(path.length());
        HttpRequest form = request(path, "amount=12")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .build();
        assertThat(CLIENT.send(form, HttpResponse.BodyHandlers.ofString()).body())
                .isEqualTo(expected);
        assertThat(CLIENT.send(form, HttpResponse.BodyHandlers.ofString()).body())
                .isEqualTo(expected);
    }

    @Test
    void aResourceMethodKnowsItsAttempt() throws Exception {
        HttpResponse<String> first = post("attempt", "");

        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(post("attempt", "").body()).isEqualTo(first.body()).isNotEmpty();
    }

    @Test
    void aTransactionalMethodRunsOnceInItsTransaction() throws Exception {
        assertThat(post("transactional", "").body()).isEqualTo("run 1 in a transaction");

        HttpResponse<String> second = post("transactional", "");
        assertThat(second.body()).isEqualTo("run 1 in a transaction");
        assertThat(isReplay(second)).isTrue();
    }

    @Test
    void aMethodThatIsNotMarkedIsLeftAlone() throws Exception {
        post("unmarked", "");

        assertThat(post("unmarked", "").body()).isEqualTo("run 2");
    }

    @Test
    void theResponseOfAnExceptionMapperIsStored() throws Exception {
        HttpResponse<String> first = post("mapped", "");
        HttpResponse<String> second = post("mapped", "");

        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.body()).isEqualTo("mapped run 1");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(OwnResource.RUNS).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unmapped", "half"})
    void anUnmappedFailureIsAProblemThatIsReplayed(String path) throws Exception {
        HttpResponse<String> first = post(path, "");
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.body()).contains("operation-failed").doesNotContain("run 1");

        HttpResponse<String> second = post(path, "");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(OwnResource.RUNS).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nested", "nested-uni", "nested-resume"})
    void aFailureOfTheStoreIsNoOutcomeWhateverAMapperMakesOfIt(String path) throws Exception {
        assertThat(post(path, "").statusCode()).isEqualTo(503);

        HttpResponse<String> second = post(path, "");
        assertThat(isReplay(second)).isFalse();
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("outcome-unknown");
        assertThat(OwnResource.RUNS).hasValue(1);
    }

    @Test
    void anAsyncResponseThatTimesOutHasAnUnknownOutcome() throws Exception {
        assertThat(post("time-out", "").body()).contains("outcome-unknown");

        assertThat(post("time-out", "").body()).contains("outcome-unknown");
        assertThat(OwnResource.RUNS).hasValue(1);
    }

    @Test
    void aRequestThatALaterFilterRefusesDidNotRun() throws Exception {
        HttpResponse<String> refused = CLIENT.send(
                request("text", "a body").header(SampleFilters.REFUSED, "yes").build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(OwnResource.RUNS).hasValue(0);

        HttpResponse<String> second = post("text", "a body");
        assertThat(second.body()).startsWith("a body in run 1");
        assertThat(isReplay(second)).isFalse();
    }

    @Test
    void aResponseThatAFilterBreaksIsAFailureThatIsReplayed() throws Exception {
        HttpRequest broken =
                request("text", "a body").header(SampleFilters.BROKEN, "yes").build();
        HttpResponse<String> first = CLIENT.send(broken, HttpResponse.BodyHandlers.ofString());
        assertThat(first.statusCode()).isEqualTo(500);

        HttpResponse<String> second = post("text", "a body");
        assertThat(second.body()).contains("operation-failed").isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(OwnResource.RUNS).hasValue(1);
    }

    /** The response of the mapper is broken by a filter, and Quarkus answers outside of the request. */
    @Test
    void aRequestWhoseResponseIsNeverSeenDoesNotHoldItsKey() throws Exception {
        HttpResponse<String> broken = CLIENT.send(
                request("mapped", "").header(SampleFilters.BROKEN, "yes").build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(broken.statusCode()).isEqualTo(500);

        HttpResponse<String> second = Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> post("mapped", ""), answer -> !answer.body().contains("in-flight"));
        assertThat(second.body()).contains("outcome-unknown");
        assertThat(OwnResource.RUNS).hasValue(1);
    }

    @Test
    void aReplayIsNotEncodedAgain() throws Exception {
        HttpResponse<byte[]> first =
                CLIENT.send(request("zipped", "").build(), HttpResponse.BodyHandlers.ofByteArray());
        HttpResponse<byte[]> second =
                CLIENT.send(request("zipped", "").build(), HttpResponse.BodyHandlers.ofByteArray());

        assertThat(first.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(second.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(second.body()).isEqualTo(first.body()).isNotEqualTo("run 1".getBytes(StandardCharsets.UTF_8));
        assertThat(isReplay(second)).isTrue();
    }

    private static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return CLIENT.send(request(path, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path, String body) {
        return HttpRequest.newBuilder(uri.resolve(path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer alice.1")
                .header("Idempotency-Key", key)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }
}
