package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers of Spring WebFlux on Reactor Netty, with PostgreSQL and Spring Security, through a socket. */
class WebFluxTest {

    private final String key = UUID.randomUUID().toString();
    private TestClient client;
    private WebFluxApplication.Handlers handlers;

    @BeforeEach
    void connect() {
        client = WebFluxApplication.client();
        handlers = WebFluxApplication.running().getBean(WebFluxApplication.Handlers.class);
        handlers.runs.set(0);
        handlers.gate = new CompletableFuture<>();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/charge", "/flux", "/future", "/rendered", "/status-exception", "/thrown", "/accounts/1/charge"
            })
    void replaysTheRealResponseOfEveryKindOfHandler(String path) throws Exception {
        HttpResponse<String> first = client.post(path, key, "{\"a\":1,\"b\":2}");
        HttpResponse<String> second = client.post(path, key, "{ \"b\": 2, \"a\": 1 }", "alice.2");

        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).isEqualTo(first.body()).isNotEmpty();
        assertThat(handlers.runs).hasValue(1);
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
    void errorsAreThoseThatTheApplicationRenders() throws Exception {
        assertThat(client.post("/rendered", key, "{}").body()).isEqualTo("rendered run 1");
        assertThat(client.post("/status-exception", key + 2, "{}").statusCode()).isEqualTo(409);
        assertThat(client.post("/thrown", key + 3, "{}").body()).contains("\"path\":\"/thrown\"");
    }

    @Test
    void whatWasNotExecutedMayRunAgain() throws Exception {
        int status = client.post("/not-executed", key, "{}").statusCode();

        assertThat(client.post("/not-executed", key, "{}").statusCode()).isEqualTo(status);
        assertThat(handlers.runs).hasValue(2);
    }

    @Test
    void aDeniedRequestIsAnsweredBySpringSecurity() throws Exception {
        assertThat(client.post("/denied", key, "{}").statusCode()).isEqualTo(403);
    }

    @Test
    void aHandlerThatTwoControllersInheritIsTwoOperations() throws Exception {
        String charged = client.post("/inherited/charges/" + key, key, "{}").body();
        String refunded = client.post("/inherited/refunds/" + key, key, "{}").body();

        assertThat(charged).isEqualTo("charge " + key + " in run 1");
        assertThat(refunded).isEqualTo("refund " + key + " in run 1");
        assertThat(client.post("/inherited/charges/" + key, key, "{}").body()).isEqualTo(charged);
        assertThat(client.post("/inherited/refunds/" + key, key, "{}").body()).isEqualTo(refunded);
    }

    @Test
    void naturalKeysAreMadeOfThePathBelowTheBase() throws Exception {
        // Not closed before the others: they share the threads of Netty.
        TestClient below = WebFluxApplication.client(WebFluxApplication.start("spring.webflux.base-path=/shop"));
        String path = "/shop/inherited/charges/" + key;

        assertThat(below.post(path + "1", "x", "{}").body()).isEqualTo("charge " + key + "1 in run 1");
        assertThat(below.post(path + "2", "x", "{}").body()).isEqualTo("charge " + key + "2 in run 2");
        assertThat(below.post(path + "1", "y", "{}").body()).isEqualTo("charge " + key + "1 in run 1");
    }

    @Test
    void aKeyInTheBodyNamesTheOperation() throws Exception {
        String body = "{\"request_id\":\"" + key + "\"}";

        assertThat(client.post("/key-in-body", "x", body).body()).isEqualTo(key + " in run 1");
        assertThat(client.post("/key-in-body", "y", body).body()).isEqualTo(key + " in run 1");
        assertThat(client.post("/key-in-body", "y", "{}").statusCode()).isEqualTo(400);
    }

    @Test
    void twoPathsWithOneKeyAndBodyAreNotConfused() throws Exception {
        assertThat(client.post("/accounts/1/charge", key, "{}").body()).isEqualTo("charged 1 in attempt 1 and run 1");
        assertThat(client.post("/accounts/2/charge", key, "{}").statusCode()).isEqualTo(422);
    }

    @Test
    void twoPrincipalsWithOneKeyNeverMeetAndARefreshedTokenIsTheSame() throws Exception {
        assertThat(client.post("/charge", key, "{}", "alice.1").body()).isEqualTo("{\"run\":1}");
        assertThat(client.post("/charge", key, "{}", "bob.1").body()).isEqualTo("{\"run\":2}");
        assertThat(client.post("/charge", key, "{}", "alice.2").body()).isEqualTo("{\"run\":1}");
        assertThat(client.post("/charge", key, "{}", "nobody").statusCode()).isEqualTo(403);
    }

    @Test
    void aDuplicateThatGivesUpWaitingDoesNotDisturbTheOwner() throws Exception {
        CompletableFuture<HttpResponse<String>> owner = client.start("/impatient", key, "{}");
        await().untilAtomic(handlers.runs, is(1));

        assertThat(client.post("/impatient", key, "{}").statusCode()).isEqualTo(409);
        handlers.gate.complete("end");

        assertThat(owner.join().body()).isEqualTo("end of run 1");
        assertThat(client.post("/impatient", key, "{}").body()).isEqualTo("end of run 1");
        assertThat(handlers.runs).hasValue(1);
    }
}
