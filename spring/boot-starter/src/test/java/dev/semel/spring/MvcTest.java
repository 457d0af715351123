package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Handlers of Spring MVC on Tomcat, with PostgreSQL and Spring Security, through a socket. */
class MvcTest {

    private final String key = UUID.randomUUID().toString();
    private TestClient client;
    private MvcController controller;

    @BeforeEach
    void connect() {
        client = MvcApplication.client();
        controller = MvcApplication.running().getBean(MvcController.class);
        controller.runs.set(0);
        controller.gate = new CompletableFuture<>();
        FlakyStore.settlesFail = false;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/charge",
                "/deferred",
                "/future",
                "/mono",
                "/flux",
                "/stream",
                "/nothing",
                "/rendered",
                "/rendered-later",
                "/send-error",
                "/status-exception",
                "/thrown",
                "/accounts/1/charge"
            })
    void replaysTheRealResponseOfEveryKindOfHandler(String path) throws Exception {
        HttpResponse<String> first = client.post(path, key, "{\"a\":1,\"b\":2}");
        HttpResponse<String> second = client.post(path, key, "{ \"b\": 2, \"a\": 1 }", "alice.2");

        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().allValues("Content-Type"))
                .isEqualTo(first.headers().allValues("Content-Type"));
        assertThat(second.headers().allValues("Location"))
                .isEqualTo(first.headers().allValues("Location"));
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void guardsTheHandlersOfAnAnnotatedController() throws Exception {
        HttpResponse<String> first = client.post("/annotated/open", key, "{}");

        assertThat(client.post("/annotated/open", key, "{}").body()).isEqualTo(first.body());
        assertThat(client.post("/annotated/open", key + 2, "{}").body()).isNotEqualTo(first.body());
        assertThat(client.post("/annotated/close/" + key, "a", "{}").body())
                .isEqualTo(client.post("/annotated/close/" + key, "b", "{}").body());
        assertThat(client.get("/annotated/runs").body()).isEqualTo("3");
    }

    @Test
    void speaksTheDialectThatTheAnnotationNames() throws Exception {
        assertThat(client.post("/stripe-charge", key, "{\"amount\":1}").statusCode())
                .isEqualTo(200);

        HttpResponse<String> other = client.post("/stripe-charge", key, "{\"amount\":2}");
        assertThat(other.statusCode()).isEqualTo(400);
        assertThat(other.body()).startsWith("{\"error\":{\"type\":\"idempotency_error\"");
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void answersWithWhatTheHandlerSaid() throws Exception {
        assertThat(client.post("/deferred", key, "{}").body()).isEqualTo("deferred run 1");
        assertThat(client.post("/future", key + 2, "{}").body()).isEqualTo("{\"run\":2}");
        assertThat(client.post("/mono", key + 3, "{}").body()).isEqualTo("mono run 3");
        assertThat(client.post("/stream", key + 4, "{}").body()).endsWith("line 99 of run 4\n");
        assertThat(client.post("/nothing", key + 5, "{}").statusCode()).isEqualTo(204);
    }

    @Test
    void anErrorRenderedByAnExceptionHandlerReplaysAndRunsOnce() throws Exception {
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> response = client.post("/rendered", key, "{}");
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body()).isEqualTo("rendered run 1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/send-error", "/status-exception"})
    void anErrorThatIsSentReplaysItsBody(String path) throws Exception {
        HttpResponse<String> first = client.post(path, key, "{}");

        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(first.body()).contains("\"status\":409");
        assertThat(client.post(path, key, "{}").body()).isEqualTo(first.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/try-again", "/not-executed"})
    void whatWasNotExecutedMayRunAgain(String path) throws Exception {
        int status = client.post(path, key, "{}").statusCode();

        assertThat(client.post(path, key, "{}").statusCode()).isEqualTo(status).isIn(500, 503);
        assertThat(controller.runs).hasValue(2);
    }

    @Test
    void aDeniedRequestIsAnsweredBySpringSecurity() throws Exception {
        assertThat(client.post("/denied", key, "{}").statusCode()).isEqualTo(403);
    }

    @Test
    void aHandlerThatTwoControllersOverrideIsTwoOperations() throws Exception {
        String charged = client.post("/inherited/charges/" + key, key, "{}").body();
        String refunded = client.post("/inherited/refunds/" + key, key, "{}").body();

        assertThat(charged).isEqualTo("charge " + key + " in run 1");
        assertThat(refunded).isEqualTo("refund " + key + " in run 1");
        assertThat(client.post("/inherited/charges/" + key, key, "{}").body()).isEqualTo(charged);
        assertThat(client.post("/inherited/refunds/" + key, key, "{}").body()).isEqualTo(refunded);
    }

    @Test
    void twoPathsWithOneKeyAndBodyAreNotConfused() throws Exception {
        assertThat(client.post("/accounts/1/charge", key, "{}").body()).isEqualTo("charged 1 in run 1");
        assertThat(client.post("/accounts/2/charge", key, "{}").statusCode()).isEqualTo(422);
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void twoPrincipalsWithOneKeyNeverMeet() throws Exception {
        assertThat(client.post("/charge", key, "{}", "alice.1").body()).isEqualTo("{\"run\":1}");
        assertThat(client.post("/charge", key, "{}", "bob.1").body()).isEqualTo("{\"run\":2}");
        assertThat(client.post("/charge", key, "{}", "alice.1").body()).isEqualTo("{\"run\":1}");
    }

    @Test
    void aRefreshedTokenIsStillTheSameCaller() throws Exception {
        assertThat(client.post("/charge", key, "{}", "alice.1").body()).isEqualTo("{\"run\":1}");
        assertThat(client.post("/charge", key, "{}", "alice.2").body()).isEqualTo("{\"run\":1}");
    }

    @Test
    void aRequestWithoutPrincipalIsRefused() throws Exception {
        assertThat(client.post("/charge", key, "{}", "nobody").statusCode()).isEqualTo(403);
        assertThat(controller.runs).hasValue(0);
    }

    @Test
    void aDuplicateThatGivesUpWaitingDoesNotDisturbTheOwner() throws Exception {
        CompletableFuture<HttpResponse<String>> owner = client.start("/impatient", key, "{}");
        await().untilAtomic(controller.runs, is(1));

        assertThat(client.post("/impatient", key, "{}").statusCode()).isEqualTo(409);
        assertThat(client.post("/impatient", key, "{}").statusCode()).isEqualTo(409);
        controller.gate.complete("end");

        assertThat(owner.join().body()).isEqualTo("end of run 1");
        assertThat(client.post("/impatient", key, "{}").body()).isEqualTo("end of run 1");
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void aDuplicateThatWaitsGetsTheOutcome() throws Exception {
        CompletableFuture<HttpResponse<String>> owner = client.start("/patient", key, "{}");
        await().untilAtomic(controller.runs, is(1));
        CompletableFuture<HttpResponse<String>> duplicate = client.start("/patient", key, "{}");

        controller.gate.complete("end");

        assertThat(owner.join().body()).isEqualTo("end of run 1");
        assertThat(duplicate.join().body()).isEqualTo("end of run 1");
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void anAcceptedDuplicateGetsAStatusAddress() throws Exception {
        CompletableFuture<HttpResponse<String>> owner = client.start("/accepted", key, "{}");
        await().untilAtomic(controller.runs, is(1));

        HttpResponse<String> duplicate = client.post("/accepted", key, "{}");
        String location = duplicate.headers().firstValue("Location").orElseThrow();
        controller.gate.complete("end");
        owner.join();

        assertThat(duplicate.statusCode()).isEqualTo(202);
        assertThat(client.get(location).body()).isEqualTo("end of run 1");
    }

    @Test
    void aStoreThatFailsAfterTheHandlerSucceededDoesNotMakeItRunAgain() throws Exception {
        FlakyStore.settlesFail = true;
        HttpResponse<String> first = client.post("/charge", key, "{}");
        assertThat(client.post("/charge", key, "{}").statusCode()).isEqualTo(409);

        FlakyStore.settlesFail = false;

        assertThat(first.statusCode()).isEqualTo(201);
        await().untilAsserted(() ->
                assertThat(client.post("/charge", key, "{}").body()).isEqualTo(first.body()));
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void manyConcurrentRequestsRunOnce() {
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(client.start("/charge", key, "{}"));
        }

        var answers = all.stream()
                .map(CompletableFuture::join)
                .collect(Collectors.partitioningBy(response -> response.statusCode() == 409));

        assertThat(answers.get(false))
                .isNotEmpty()
                .allSatisfy(response -> assertThat(response.body()).isEqualTo("{\"run\":1}"));
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void naturalKeysNameTheOperation() throws Exception {
        assertThat(client.post("/natural/7?part=a", "x", "{}").body()).startsWith("7 in run");
        int runs = controller.runs.get();
        assertThat(client.post("/natural/7?part=a", "y", "{}").body()).endsWith("run " + runs);
        client.post("/natural/7?part=b", "y", "{}");
        assertThat(controller.runs).hasValue(runs + 1);

        String number = key;
        client.post("/natural-fields", "x", "{\"number\":\"" + number + "\",\"sent\":1}");
        client.post("/natural-fields", "y", "{\"number\":\"" + number + "\",\"sent\":2}");
        assertThat(controller.runs).hasValue(runs + 2);
        assertThat(client.post("/natural-fields", "y", "{}").statusCode()).isEqualTo(400);
    }

    @Test
    void aKeyInTheBodyNamesTheOperation() throws Exception {
        String body = "{\"request_id\":\"" + key + "\"}";
        String first = client.post("/key-in-body", "x", body).body();

        assertThat(first).isEqualTo(key + " in run 1");
        assertThat(client.post("/key-in-body", "y", body).body()).isEqualTo(first);
        assertThat(client.post("/key-in-body", "y", "{}").statusCode()).isEqualTo(400);
        assertThat(controller.runs).hasValue(1);
    }

    @Test
    void aHashOfTheBodyProtectsClientsThatSendNoKey() throws Exception {
        String amount = "{\"amount\":\"" + key + "\",\"sentAt\":";
        String first = client.post("/no-key/1", "x", amount + "1}").body();

        assertThat(first).isEqualTo("1 in run 1");
        assertThat(client.post("/no-key/1", "y", amount + "2}").body()).isEqualTo(first);
        assertThat(client.post("/no-key/2", "y", amount + "1}").body()).isEqualTo("2 in run 2");
    }

    @Test
    void naturalKeysAreMadeOfThePathBelowTheServlet() throws Exception {
        try (ConfigurableApplicationContext context =
                MvcApplication.start("spring.mvc.servlet.path=/api", "server.servlet.context-path=/shop")) {
            TestClient below = MvcApplication.client(context);
            String path = "/shop/api/natural/" + key;

            assertThat(below.post(path + "1?part=a", "x", "{}").body()).isEqualTo(key + "1 in run 1");
            assertThat(below.post(path + "2?part=a", "x", "{}").body()).isEqualTo(key + "2 in run 2");
            assertThat(below.post(path + "1?part=a", "y", "{}").body()).isEqualTo(key + "1 in run 1");
        }
    }

    @Test
    void aHandlerKnowsItsAttempt() throws Exception {
        assertThat(client.post("/optional", key, "{}").body()).isEqualTo("attempt 1 in run 1");
    }

    @Test
    void anErrorOfAnExternalHandlerIsStoredAlthoughOneOfItsPartsWasRolledBack() throws Exception {
        Orders orders = MvcApplication.running().getBean(Orders.class);
        orders.fail(true);
        String order = "{\"number\":\"" + key + "\",\"amount\":3}";
        HttpResponse<String> failed = client.post("/orders", key, order);
        assertThat(failed.statusCode()).isEqualTo(500);
        orders.fail(false);
        assertThat(orders.rows(key)).isZero();

        // It may have done other things that no rollback undoes, so it does not run again under this key.
        assertThat(client.post("/orders", key, order).body()).isEqualTo(failed.body());
        assertThat(controller.runs).hasValue(1);
        assertThat(client.post("/orders", key + 2, order).statusCode()).isEqualTo(200);
        assertThat(client.post("/orders", key + 2, order).statusCode()).isEqualTo(200);
        assertThat(orders.rows(key)).isEqualTo(1);
    }

    @Test
    void requestsWithoutAnnotationPassThrough() throws Exception {
        assertThat(client.post("/open", key, "{}").body()).isEqualTo("run 1");
        assertThat(client.post("/open", key, "{}").body()).isEqualTo("run 2");
        assertThat(client.post("/does-not-exist", key, "{}").statusCode()).isEqualTo(404);
    }

    @Test
    void theEndpointShowsKeysWithoutTheirPayload() throws Exception {
        client.post("/charge", key, "{}");

        HttpResponse<String> page = client.get("/actuator/semel?operation=charge&key=" + key);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains(key, "\"scope\":\"alice\"", "SUCCEEDED")
                .doesNotContain("\"run\"");
    }

    @Test
    void anOperatorResolvesAnUnknownKey() throws Exception {
        client.post("/unknown", key, "{}");
        await().untilAsserted(() ->
                assertThat(client.post("/unknown", key, "{}").body()).contains("outcome-unknown"));
        String shown =
                client.get("/actuator/semel?operation=unknown&key=" + key).body();
        String decision = "{\"token\":%s,\"decision\":\"released\",\"reason\":\"not at the processor\"}"
                .formatted(member(shown, "token"));
        String endpoint = "/actuator/semel/" + member(shown, "digest");

        assertRefused(400, "perhaps", endpoint, decision.replace("released", "perhaps"));
        assertRefused(400, "give its status", endpoint, decision.replace("released", "succeeded"));
        String succeeded = decision.replace("released\"", "succeeded\",\"status\":201");
        assertRefused(400, "200 and 599, got 99", endpoint, succeeded.replace(":201", ":99"));
        assertRefused(
                400,
                "line breaks",
                endpoint,
                succeeded.replace(":201", ":201,\"contentType\":\"a/b\\r\\nSet-Cookie: x\""));
        assertRefused(409, "look again", endpoint, decision.replaceFirst("\\d+", "0"));
        assertRefused(404, "there is no key", "/actuator/semel/" + "0".repeat(32), decision);
        assertRefused(400, "", "/actuator/semel/nonsense", decision);
        assertThat(controller.runs).hasValue(1);
        assertThat(client.post(endpoint, "x", decision).body()).isEqualTo("{\"resolved\":true}");

        assertThat(client.post("/unknown", key, "{}").body()).isEqualTo("run 2");
    }

    private void assertRefused(int status, String why, String endpoint, String decision) throws Exception {
        HttpResponse<String> answer = client.post(endpoint, "x", decision);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(why);
    }

    private static String member(String json, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":\"?(\\w+)").matcher(json);
        assertThat(matcher.find()).as(name + " in " + json).isTrue();
        return matcher.group(1);
    }
}
