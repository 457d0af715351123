package dev.semel.spring.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** What fails around a handler of Spring MVC, and what refuses a request before it, is not its outcome. */
class MvcFailuresTest {

    private static ConfigurableApplicationContext context;
    private static TestRequests requests;

    private final String key = UUID.randomUUID().toString();
    private final MvcFailures.Handlers handlers = context.getBean(MvcFailures.Handlers.class);
    private final MvcFailures.Rendering rendering = context.getBean(MvcFailures.Rendering.class);

    @BeforeAll
    static void start() {
        context = MvcFailures.start();
        requests = TestRequests.to(context);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void reset() {
        handlers.runs.set(0);
        handlers.gate = new CompletableFuture<>();
        rendering.runs.set(0);
        MvcFailures.Secured.RUNS.set(0);
        MvcFailures.Secured.open = false;
    }

    @ParameterizedTest
    @EnumSource
    void aFailureOfSemelThatIsThrownIsNotTheOutcome(Interruption how) {
        isUnknown("/thrown/" + how, how, handlers.runs);
    }

    @ParameterizedTest
    @EnumSource
    void aFailureOfSemelThatIsRenderedIsNotTheOutcome(Interruption how) {
        isUnknown("/rendered/" + how, how, rendering.runs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deferred", "callable", "future"})
    void aFailureOfSemelThatAnAsynchronousHandlerEndsWithIsNotTheOutcome(String kind) {
        isUnknown("/rendered-" + kind + "/WRAPPED", Interruption.WRAPPED, rendering.runs);
    }

    /** Spring takes such a cause for a client that has left, and answers nothing. */
    @Test
    void aBrokenConnectionOfADownstreamCallIsNoSuccess() {
        HttpResponse<String> first = requests.post("/broken/plain", key, "{}");
        HttpResponse<String> second = requests.post("/broken/plain", key, "{}");

        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(second.statusCode()).isEqualTo(500);
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    }

    @Test
    void aHandlerThatCannotTellBecauseOfABrokenConnectionIsNoSuccess() {
        isProblem(requests.post("/broken/unknown", key, "{}"), 409, "outcome-unknown");
        isProblem(requests.post("/broken/unknown", key, "{}"), 409, "outcome-unknown");
    }

    private void isUnknown(String path, Interruption how, AtomicInteger runs) {
        HttpResponse<String> first = requests.post(path, key, "{}");
        HttpResponse<String> second = requests.post(path, key, "{}");

        isProblem(first, how.status, how.problem);
        isProblem(second, 409, "outcome-unknown");
        assertThat(runs).hasValue(1);
    }

    static void isProblem(HttpResponse<String> response, int status, String type) {
        assertThat(response.body()).contains("urn:semel:problem:" + type, "\"retry\":\"same-key\"");
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.headers().firstValue("Idempotent-Replayed")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"WRAPPED,503,store-unavailable", "NESTED_IN_FLIGHT,409,in-flight"})
    void anInterruptedHandlerThatMayRunAgainDoesSoWhenItsLeaseHasLapsed(Interruption how, int status, String problem) {
        HttpResponse<String> first = requests.post("/re-executed/" + how, key, "{}");

        isProblem(first, status, problem);
        assertThat(first.headers().firstValue("Retry-After")).hasValue("1");
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(
                                requests.post("/re-executed/" + how, key, "{}").body())
                        .isEqualTo("run 2"));
    }

    @Test
    void waitingDuplicatesDoNotBlockALapsedKey() {
        requests.post("/waited-for", key, "{}");
        CompletableFuture<HttpResponse<String>> beside = requests.start("/waited-for", key, "{}");

        HttpResponse<String> ran = await().atMost(Duration.ofSeconds(8))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> sentBackOrRun(requests.post("/waited-for", key, "{}")), run -> run.statusCode() == 200);

        assertThat(ran.body()).isEqualTo("run 2");
        sentBackOrRun(beside.join());
        assertThat(handlers.runs).hasValue(2);
    }

    private static HttpResponse<String> sentBackOrRun(HttpResponse<String> answer) {
        if (answer.statusCode() != 200) {
            isProblem(answer, 409, "in-flight");
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        }
        return answer;
    }

    @Test
    void theStoredFailureOfANestedOperationIsAnOutcome() {
        HttpResponse<String> first = requests.post("/definite", key, "{}");

        replays(first, requests.post("/definite", key, "{}"));
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(handlers.runs).hasValue(1);
    }

    static void replays(HttpResponse<String> first, HttpResponse<String> second) {
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    }

    @ParameterizedTest
    @CsvSource({
        "/charge,application/json,{broken,400",
        "/charge,text/plain,amount,415",
        "/charge?amount=many,application/json,{},400",
        "/charge,application/json,,400"
    })
    void aRequestThatIsRefusedBeforeTheHandlerIsEnteredCanBeCorrected(
            String path, String type, String body, int status) {
        assertThat(requests.post(path, key, body == null ? "" : body, "Content-Type", type)
                        .statusCode())
                .isEqualTo(status);

        assertThat(requests.post("/charge", key, "{}").body()).isEqualTo("run 1");
    }

    @ParameterizedTest
    @CsvSource({"X-Refuse,401", "X-Throttle,429"})
    void aRequestThatIsRefusedOnItsWayToTheHandlerMayComeAgain(String header, int status) {
        assertThat(requests.post("/charge", key, "{}", header, "yes").statusCode())
                .isEqualTo(status);

        assertThat(requests.post("/charge", key, "{}").body()).isEqualTo("run 1");
    }

    @Test
    void aCallerThatTheHandlersOwnSecurityDeniesMayComeAgain() {
        assertThat(requests.post("/secured", key, "{}").statusCode()).isEqualTo(403);

        MvcFailures.Secured.open = true;

        assertThat(requests.post("/secured", key, "{}").body()).isEqualTo("run 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 429})
    void aStatusProvesNothingOnceTheHandlerWasEntered(int status) {
        HttpResponse<String> first = requests.post("/answered/" + status, key, "{}");

        replays(first, requests.post("/answered/" + status, key, "{}"));
        assertThat(first.statusCode()).isEqualTo(status);
        assertThat(handlers.runs).hasValue(1);
    }

    @Test
    void aDenialInsideTheHandlerIsItsOutcome() {
        HttpResponse<String> first = requests.post("/denied", key, "{}");

        replays(first, requests.post("/denied", key, "{}"));
        assertThat(first.statusCode()).isEqualTo(403);
        assertThat(handlers.runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deferred", "deferred-with-result", "callable"})
    void aTimeOutIsNotTheOutcome(String kind) {
        HttpResponse<String> first = requests.post("/late/" + kind, key, "{}");
        handlers.gate.complete("end");

        isProblem(first, 409, "outcome-unknown");
        isProblem(requests.post("/late/" + kind, key, "{}"), 409, "outcome-unknown");
        assertThat(handlers.runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"future", "mono"})
    void aResultThatArrivesAfterTheTimeOutIsTheOutcome(String kind) {
        CompletableFuture<HttpResponse<String>> first = requests.start("/late/" + kind, key, "{}");
        // Tomcat looks for time-outs every second.
        handlers.gate.completeOnTimeout("end", 3, TimeUnit.SECONDS);

        assertThat(first.join().body()).isEqualTo("end of run 1");
        replays(first.join(), requests.post("/late/" + kind, key, "{}"));
        assertThat(handlers.runs).hasValue(1);
    }
}
