package dev.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.check.ApiCheck;
import dev.semel.check.CheckReport;
import dev.semel.check.report.TextReport;
import dev.semel.client.HttpOperation;
import dev.semel.client.IdempotentHttpClient;
import dev.semel.client.OperationKeys;
import dev.semel.client.OperationResult;
import dev.semel.client.ProblemDetails;
import dev.semel.testkit.check.ChargeService;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The client, and the check, with a gateway that answers duplicates with 202. */
class AcceptedDuplicatesTest {

    private static ChargeService service;
    private static TestGateway gateway;

    private final IdempotentHttpClient client = IdempotentHttpClient.builder().build();

    @BeforeAll
    static void start() {
        service = ChargeService.start();
        gateway = TestGateway.start(service.uri().toString(), "duplicates", "accepted", "scope", "credential");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        service.close();
    }

    private static HttpOperation.Builder charge(String key) {
        return HttpOperation.post(gateway.uri("/charges"))
                .key(key)
                .header("Authorization", "Bearer alice.1")
                .header("X-Slow", "yes")
                .json("{\"amount\": 1}");
    }

    @Test
    void aDuplicateIsFollowedToItsOutcome() {
        String key = OperationKeys.random();
        CompletableFuture<OperationResult> one = client.sendAsync(charge(key).build());
        CompletableFuture<OperationResult> other = client.sendAsync(charge(key).build());

        assertThat(one.join().text()).isEqualTo(other.join().text()).contains("ch_");
        OperationResult duplicate = one.join().replayed() ? one.join() : other.join();
        assertThat(duplicate.replayed()).isTrue();
        assertThat(duplicate.status()).isEqualTo(201);
        assertThat(duplicate.attempts().get(0).status()).isEqualTo(202);
        assertThat(one.join().replayed() && other.join().replayed()).isFalse();
    }

    @Test
    void aKeyThatWasUsedForSomethingElseIsNotRetried() throws InterruptedException {
        String key = OperationKeys.random();
        client.send(charge(key).build());

        OperationResult refused =
                client.send(charge(key).body("{\"amount\": 2}").build());
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.attempts()).hasSize(1);
        assertThat(refused.problem()).map(ProblemDetails::retry).contains("new-key");
    }

    @Test
    void theCheckFindsNothing() throws InterruptedException {
        CheckReport report = ApiCheck.of(
                        service.target(gateway.uri("/")).only("P8.2").build())
                .run(result -> {});
        assertThat(report.findings()).as(new TextReport(false).summary(report)).isEmpty();
        assertThat(report.results())
                .anySatisfy(result -> assertThat(result.seen()).contains("202 and a place to ask"));
    }
}
