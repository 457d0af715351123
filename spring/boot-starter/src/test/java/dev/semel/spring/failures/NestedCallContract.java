package dev.semel.spring.failures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.OutcomeUnknownException;
import dev.semel.http.problem.ProblemType;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** A request without a guard whose handler calls an operation that can be neither run nor replayed. */
abstract class NestedCallContract {

    private final String id = UUID.randomUUID().toString();
    private final TestRequests requests;
    private final NestedCalls.Charges charges;

    NestedCallContract(ConfigurableApplicationContext context) {
        requests = TestRequests.to(context);
        charges = context.getBean(NestedCalls.Charges.class);
    }

    @BeforeEach
    void reset() {
        charges.result(new CompletableFuture<>());
    }

    @Test
    void anOperationInFlightIsAskedForAgainLater() {
        int before = charges.runs();
        CompletableFuture<String> other = charges.charge(id, 7);

        HttpResponse<String> refused = post("/nested/" + id + "/7");

        isProblem(refused, ProblemType.IN_FLIGHT);
        assertThat(refused.headers().firstValueAsLong("Retry-After")).isPresent();
        charges.result().complete("charged");
        assertThat(other.join()).isEqualTo("charged");
        assertThat(post("/nested/" + id + "/7").body()).isEqualTo("charged");
        assertThat(charges.runs()).isEqualTo(before + 1);
    }

    @Test
    void anOperationWithOtherArgumentsIsAMismatch() {
        assertThat(post("/nested-refund/" + id + "/7").body()).isEqualTo("refunded 7");

        isProblem(post("/nested-refund/" + id + "/8"), ProblemType.KEY_REUSED);
    }

    @Test
    void anOperationWhoseOutcomeIsUnknownIsNotRunAgain() {
        charges.result().completeExceptionally(new OutcomeUnknownException("the processor did not answer", null));
        assertThat(charges.charge(id, 7)).failsWithin(Duration.ofSeconds(30));

        isProblem(post("/nested/" + id + "/7"), ProblemType.OUTCOME_UNKNOWN);
    }

    @Test
    void theApplicationMayRenderItItself() {
        post("/nested-refund/" + id + "/7");

        assertThat(post("/nested-rendered/" + id + "/8").body()).isEqualTo("rendered");
    }

    private HttpResponse<String> post(String path) {
        return requests.post(path, "not-used", "{}");
    }

    private static void isProblem(HttpResponse<String> response, ProblemType type) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(type.status());
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.body())
                .contains(
                        "\"type\":\"" + type.uri() + "\"",
                        "\"outcome\":\"" + type.outcome() + "\"",
                        "\"retry\":\"" + type.retry() + "\"");
    }
}
