package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Header;
import dev.semel.OutcomeUnknownException;
import dev.semel.Policy;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GateTest {

    private final Semel semel = Semel.builder(InMemoryKeyStore.create()).build();
    private final HttpGate gate = HttpGate.builder(semel).build();
    private final HttpRules rules = HttpRules.of(Policy.external("charge").build());
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        semel.close();
    }

    @Test
    void p9ReplaysTheStoredResponse() throws Exception {
        assertThat(post("k1", "{\"amount\": 1}")).isInstanceOf(Reply.Own.class);

        Reply second = post("\"k1\"", "{ \"amount\":1 }");

        assertThat(second).isInstanceOfSatisfying(Reply.Instead.class, instead -> {
            assertThat(instead.answer().status()).isEqualTo(201);
            assertThat(new String(instead.answer().body(), StandardCharsets.UTF_8))
                    .isEqualTo("run 1");
            assertThat(instead.answer().headers())
                    .containsExactly(
                            new Header("Content-Type", "text/plain"),
                            new Header("Location", "/charges/1"),
                            new Header("X-Idempotency-Replayed", "true"));
        });
        assertThat(runs).hasValue(1);
    }

    @Test
    void p10SendsTheResponseOfAHandlerThatCannotTellWhatItDidAndHoldsTheKey() throws Exception {
        HandlerResponse timedOut = new HandlerResponse(
                504, List.of(), new byte[0], new OutcomeUnknownException("no answer in time", null));

        assertThat(post("k2", "{}", timedOut)).isInstanceOf(Reply.Own.class);

        assertThat(post("k2", "{}"))
                .isInstanceOfSatisfying(
                        Reply.Instead.class,
                        instead -> assertThat(new String(instead.answer().body(), StandardCharsets.UTF_8))
                                .contains("urn:semel:problem:outcome-unknown"));
        assertThat(runs).hasValue(0);
    }

    private Reply post(String key, String body) throws Exception {
        return post(key, body, null);
    }

    private Reply post(String key, String body, @Nullable HandlerResponse response) throws Exception {
        Map<String, List<String>> headers =
                Map.of("Idempotency-Key", List.of(key), "Content-Type", List.of("application/json"));
        RequestHead head = new RequestHead("POST", "/charges", null, name -> headers.getOrDefault(name, List.of()));
        Exchange exchange = (Exchange) gate.admit(head, rules);
        try (Spool spool = Spool.of(1000)) {
            spool.offer(body.getBytes(StandardCharsets.UTF_8));
            return exchange.run("alice", spool, Runnable::run, attempt -> {
                        if (response != null) {
                            return CompletableFuture.completedFuture(response);
                        }
                        List<Header> made = List.of(
                                new Header("Content-Type", "text/plain"),
                                new Header("Set-Cookie", "a=b"),
                                new Header("Location", "/charges/1"));
                        byte[] text = ("run " + runs.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
                        return CompletableFuture.completedFuture(new HandlerResponse(201, made, text));
                    })
                    .toCompletableFuture()
                    .get();
        }
    }
}
