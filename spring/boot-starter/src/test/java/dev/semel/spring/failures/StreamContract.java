package dev.semel.spring.failures;

import static dev.semel.spring.failures.MvcFailuresTest.isProblem;
import static dev.semel.spring.failures.MvcFailuresTest.replays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** A response that turns out to be a stream when it is asked for, or written. A lease lasts for a second. */
abstract class StreamContract {

    private static final String JSON = "application/json";

    private final String key = UUID.randomUUID().toString();
    private final TestRequests requests;
    private final StreamingHandlers handlers;

    StreamContract(ConfigurableApplicationContext context) {
        requests = TestRequests.to(context);
        handlers = context.getBean(StreamingHandlers.class);
    }

    @BeforeEach
    void reset() {
        handlers.runs.set(0);
        handlers.stopped.set(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/event-stream",
                "application/x-ndjson",
                "application/stream+json",
                "text/event-stream, application/x-ndjson;q=0.9"
            })
    void aStreamThatOnlyTheClientWantsIsRefusedBeforeTheHandlerIsEntered(String accept) {
        HttpResponse<String> refused = requests.post("/values", key, "{}", "Accept", accept);

        assertThat(refused.statusCode()).isEqualTo(406);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(refused.body()).contains("\"status\":406", "accept application/json");
        assertThat(handlers.runs).hasValue(0);
        assertThat(requests.post("/values?count=2", key, "{}", "Accept", JSON).body())
                .isEqualTo("[{\"value\":\"v\"},{\"value\":\"v\"}]");
        assertThat(handlers.runs).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"/lines|application/x-ndjson", "/lines|*/*", "/values|text/event-stream, application/json"})
    void aStreamThatDoesNotEndWithinALeaseIsStoppedAndItsOutcomeUnknown(String path, String accept) {
        HttpResponse<String> first = requests.post(path, key, "{}", "Accept", accept);

        isProblem(first, 409, "outcome-unknown");
        isProblem(requests.post(path, key, "{}", "Accept", accept), 409, "outcome-unknown");
        await().untilAsserted(() -> assertThat(handlers.stopped).hasValue(1));
        assertThat(handlers.runs).hasValue(1);
    }

    @Test
    void aStreamThatIsTooLargeToBeKeptIsBrokenOffAfterALease() {
        CompletableFuture<HttpResponse<String>> first = requests.start("/large-lines", key, "{}");

        assertThatThrownBy(first::join).hasRootCauseInstanceOf(IOException.class);
        isProblem(requests.post("/large-lines", key, "{}"), 409, "outcome-unknown");
        await().untilAsserted(() -> assertThat(handlers.stopped).hasValue(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/lines", "/large-lines"})
    void aStreamThatDoesNotEndIsStoppedAlsoWhenItsClientHasLeft(String path) {
        CompletableFuture<HttpResponse<String>> first = requests.start(path, key, "{}");
        await().untilAsserted(() -> assertThat(handlers.runs).hasValue(1));

        first.cancel(true);

        await().untilAsserted(() -> assertThat(handlers.stopped).hasValue(1));
        await().untilAsserted(() -> isProblem(requests.post(path, key, "{}"), 409, "outcome-unknown"));
    }

    @Test
    void aStreamThatEndsInTimeIsAResponseLikeAnyOther() {
        HttpResponse<String> first = requests.post("/lines?count=2", key, "{}");

        assertThat(first.body()).isEqualTo("{\"value\":\"v\"}\n{\"value\":\"v\"}\n");
        replays(first, requests.post("/lines?count=2", key, "{}"));
        assertThat(handlers.runs).hasValue(1);
    }
}
