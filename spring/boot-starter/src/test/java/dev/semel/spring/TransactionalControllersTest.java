package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Controllers whose writes and whose response are one commit, through a socket and on PostgreSQL. */
class TransactionalControllersTest {

    private static final String REPLAYED = "Idempotent-Replayed";

    private final String key = UUID.randomUUID().toString();
    private final String order = "{\"number\":\"" + key + "\",\"amount\":3}";
    private TestClient client;
    private Orders orders;

    @BeforeEach
    void connect() {
        client = MvcApplication.client();
        orders = MvcApplication.running().getBean(Orders.class);
        orders.fail(false);
        orders.runs().set(0);
        FlakyStore.settlesFail = false;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/place", "/place-at-once"})
    void replaysWhatWasCommitted(String path) throws Exception {
        HttpResponse<String> first = client.post(path, key, order);
        HttpResponse<String> second = client.post(path, key, order);

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.headers().firstValue(REPLAYED)).isEmpty();
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Location"))
                .isEqualTo(first.headers().firstValue("Location"));
        assertThat(second.headers().firstValue(REPLAYED)).hasValue("true");
        assertThat(orders.rows(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/place", "/place-at-once"})
    void aRollbackLeavesNoOutcomeBehindAndTheRetryRunsOnce(String path) throws Exception {
        orders.fail(true);
        HttpResponse<String> failed = client.post(path, key, order);
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body()).as("what the application shows for errors").contains("\"status\":500");
        assertThat(orders.rows(key)).isZero();
        orders.fail(false);

        HttpResponse<String> retried = client.post(path, key, order);

        assertThat(retried.statusCode()).isEqualTo(201);
        assertThat(retried.headers().firstValue(REPLAYED)).isEmpty();
        assertThat(client.post(path, key, order).body()).isEqualTo(retried.body());
        assertThat(orders.rows(key)).isEqualTo(1);
        assertThat(orders.runs()).hasValue(2);
    }

    @Test
    void anErrorThatAnExceptionHandlerRendersIsRolledBackToo() throws Exception {
        HttpResponse<String> failed = client.post("/place-rendered", key, order);
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body()).isEqualTo("rendered run 1");
        assertThat(orders.rows(key)).isZero();

        assertThat(client.post("/place-rendered", key, order).body()).isEqualTo("run 2");
        assertThat(client.post("/place-rendered", key, order).body()).isEqualTo("run 2");
        assertThat(orders.rows(key)).isEqualTo(1);
    }

    @Test
    void undoneWorkIsNotReported() throws Exception {
        HttpResponse<String> undone = client.post("/place-and-undo", key, order);
        assertThat(undone.statusCode()).isEqualTo(503);
        assertThat(undone.body()).contains("could not be committed", "\"retry\":\"same-key\"");

        assertThat(client.post("/place-and-undo", key, order).statusCode()).isEqualTo(200);
        assertThat(client.post("/place-and-undo", key, order).headers().firstValue(REPLAYED))
                .hasValue("true");
        assertThat(orders.rows(key)).isEqualTo(1);
    }

    @Test
    void anErrorThatTheHandlerSendsIsCommittedAndReplayed() throws Exception {
        HttpResponse<String> first = client.post("/place-and-complain", key, order);
        HttpResponse<String> second = client.post("/place-and-complain", key, order);

        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(first.body()).contains("placed, but late");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(orders.rows(key)).isEqualTo(1);
    }

    @Test
    void aResponseThatIsTooLargeToKeepIsHeldBackUntilTheCommit() throws Exception {
        HttpResponse<String> first = client.post("/place-large", key, order);

        assertThat(first.body()).hasSize(2 << 20);
        assertThat(client.post("/place-large", key, order).body()).contains("response-not-retained");
        assertThat(orders.rows(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/place", "/place-at-once"})
    void ofManyAtOnceOneRuns(String path) {
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(client.start(path, key, order));
        }

        assertThat(all.stream().map(CompletableFuture::join))
                .extracting(HttpResponse::statusCode)
                .contains(201)
                .isSubsetOf(201, 409);
        assertThat(orders.rows(key)).isEqualTo(1);
    }

    @Test
    void aClaimInsideTheTransactionOfAControllerDoesNotPoisonIt() throws Exception {
        orders.placeInOne(new Orders.Order(key, 7));

        // The key is taken, for another amount.
        HttpResponse<String> answer = client.post("/claim-inside", key, order);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("1");
        assertThat(orders.rows(key + "-own")).isEqualTo(2);
        assertThat(orders.rows(key)).isEqualTo(1);
    }

    @Test
    void anotherRequestUnderTheKeyIsRefused() throws Exception {
        client.post("/place", key, order);

        assertThat(client.post("/place", key, order.replace("3", "4")).statusCode())
                .isEqualTo(422);
    }

    @Test
    void runsAgainAfterItsOwnerHasDied() throws Exception {
        ClaimRequest dead = ClaimRequest.builder(
                        Key.of("alice", key),
                        "place",
                        Fingerprint.of(200, new byte[0]).forOperation("http"))
                .lease(Duration.ofMillis(500))
                .build();
        assertThat(MvcApplication.running()
                        .getBean(KeyStore.class)
                        .claim(dead)
                        .toCompletableFuture()
                        .get())
                .isInstanceOf(Claim.Acquired.class);

        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(client.post("/place", key, order).statusCode())
                                .isEqualTo(201));
        assertThat(orders.rows(key)).isEqualTo(1);
    }
}
