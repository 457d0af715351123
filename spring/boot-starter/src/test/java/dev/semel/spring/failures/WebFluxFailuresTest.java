package dev.semel.spring.failures;

import static dev.semel.spring.failures.MvcFailuresTest.isProblem;
import static dev.semel.spring.failures.MvcFailuresTest.replays;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** What fails around a handler of WebFlux, and what refuses a request before it, is not its outcome. */
class WebFluxFailuresTest {

    private static ConfigurableApplicationContext context;
    private static TestRequests requests;

    private final String key = UUID.randomUUID().toString();
    private final WebFluxFailures.Handlers handlers = context.getBean(WebFluxFailures.Handlers.class);
    private final WebFluxFailures.Rendering rendering = context.getBean(WebFluxFailures.Rendering.class);

    /** Not closed: other tests share the threads of Netty. */
    @BeforeAll
    static void start() {
        context = WebFluxFailures.start();
        requests = TestRequests.to(context);
    }

    @BeforeEach
    void reset() {
        handlers.runs.set(0);
        handlers.gate = new CompletableFuture<>();
        rendering.runs.set(0);
        WebFluxFailures.Secured.RUNS.set(0);
        WebFluxFailures.Secured.open = false;
    }

    @ParameterizedTest
    @EnumSource
    void aFailureOfSemelIsNotTheOutcome(Interruption how) {
        isUnknown("/failed/" + how, how, handlers.runs);
    }

    @ParameterizedTest
    @EnumSource
    void aFailureOfSemelThatIsThrownIsNotTheOutcome(Interruption how) {
        isUnknown("/thrown/" + how, how, handlers.runs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"thrown", "mono", "flux", "future"})
    void aFailureOfSemelThatIsRenderedIsNotTheOutcome(String kind) {
        isUnknown("/rendered-" + kind + "/WRAPPED", Interruption.WRAPPED, rendering.runs);
    }

    private void isUnknown(String path, Interruption how, AtomicInteger runs) {
        HttpResponse<String> first = requests.post(path, key, "{}");
        HttpResponse<String> second = requests.post(path, key, "{}");

        isProblem(first, how.status, how.problem);
        isProblem(second, 409, "outcome-unknown");
        assertThat(runs).hasValue(1);
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
    void theStoredFailureOfANestedOperationIsAnOutcome() {
        HttpResponse<String> first = requests.post("/definite", key, "{}");

        replays(first, requests.post("/definite", key, "{}"));
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(handlers.runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"not-executed", "try-again"})
    void whatTheHandlerDidNotExecuteRunsAgainAlsoWhenItIsRendered(String what) {
        assertThat(requests.post("/says/" + what, key, "{}").body()).isEqualTo("rendered");
        assertThat(requests.post("/says/" + what, key, "{}").body()).isEqualTo("rendered");

        assertThat(rendering.runs).hasValue(2);
    }

    @Test
    void whatTheHandlerCannotTellStaysUnknownAlsoWhenItIsRendered() {
        assertThat(requests.post("/says/unknown", key, "{}").body()).isEqualTo("rendered");

        isProblem(requests.post("/says/unknown", key, "{}"), 409, "outcome-unknown");
        assertThat(rendering.runs).hasValue(1);
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

    @Test
    void aRequestThatIsRefusedOnItsWayToTheHandlerMayComeAgain() {
        assertThat(requests.post("/charge", key, "{}", "X-Refuse", "yes").statusCode())
                .isEqualTo(401);

        assertThat(requests.post("/charge", key, "{}").body()).isEqualTo("run 1");
    }

    @Test
    void aCallerThatTheHandlersOwnSecurityDeniesMayComeAgain() {
        assertThat(requests.post("/secured", key, "{}").statusCode()).isIn(401, 403);

        WebFluxFailures.Secured.open = true;

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
}
