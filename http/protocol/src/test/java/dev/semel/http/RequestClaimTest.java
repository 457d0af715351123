package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.NotExecutedException;
import dev.semel.Semel;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an adapter gets that claims the key of its request. */
class RequestClaimTest {

    private static final HttpRules RULES = HttpRules.of(Policy.external("charge")
            .duplicates(Duplicates.waitFor(Duration.ofSeconds(30)))
            .build());

    private final Semel semel = Semel.builder(InMemoryKeyStore.create())
            .shutdownGrace(Duration.ofMillis(10))
            .build();
    private final HttpGate gate = HttpGate.builder(semel).build();

    @AfterEach
    void close() {
        semel.close();
    }

    private RequestClaim claim(HttpRules rules) {
        Exchange exchange = (Exchange) gate.admit(
                RequestHead.of(
                        "POST", "/charges", null, name -> name.equals("Idempotency-Key") ? List.of("k") : List.of()),
                rules);
        try (Spool body = Spool.of(100)) {
            return exchange.claim("alice", body);
        }
    }

    private RequestClaim.Owned own() {
        return (RequestClaim.Owned) claim(RULES);
    }

    private CompletableFuture<Reply> duplicate() {
        return ((RequestClaim.Waiting) claim(RULES)).reply().toCompletableFuture();
    }

    private static HandlerResponse response(String text) {
        return HandlerResponse.of(201, List.of(), text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Reply reply) {
        Answer answer = ((Reply.Instead) reply).answer();
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void onlyTheFirstEndOfTheHandlerCounts() {
        RequestClaim.Owned owned = own();

        assertThat(owned.isEnded()).isFalse();
        assertThat(owned.complete(response("first"))).isTrue();
        assertThat(owned.complete(response("second"))).isFalse();
        assertThat(owned.fail(new IllegalStateException("late"))).isFalse();

        assertThat(owned.isEnded()).isTrue();
        assertThat(owned.reply().toCompletableFuture().join()).isInstanceOf(Reply.Own.class);
        assertThat(text((Reply.Instead) claim(RULES))).isEqualTo("first");
    }

    @Test
    void aDuplicateThatWaitsGetsTheStoredResponse() {
        RequestClaim.Owned owned = own();
        CompletableFuture<Reply> waiting = duplicate();

        assertThat(waiting).isNotDone();
        owned.complete(response("charged"));

        assertThat(text(waiting.join())).isEqualTo("charged");
    }

    @Test
    void aDuplicateThatHasWaitedGivesTheKeyBack() {
        RequestClaim.Owned owned = own();
        CompletableFuture<Reply> waiting = duplicate();

        owned.fail(new NotExecutedException("busy"));

        assertThat(text(waiting.join())).contains("urn:semel:problem:not-executed");
        assertThat(claim(RULES)).isInstanceOf(RequestClaim.Owned.class);
    }

    @Test
    void aPredicateThatFailsDoesNotKeepTheKeyInFlight() {
        HttpRules broken = HttpRules.of(Policy.external("charge")
                .recovery(Recovery.HOLD)
                .notExecuted(failure -> {
                    throw new IllegalStateException("the predicate is broken");
                })
                .build());
        RequestClaim.Owned owned = (RequestClaim.Owned) claim(broken);

        assertThat(owned.fail(new IllegalArgumentException("declined"))).isTrue();

        assertThat(text(owned.reply().toCompletableFuture().join())).contains("urn:semel:problem:operation-failed");
        assertThat(text((Reply.Instead) claim(broken))).contains("urn:semel:problem:operation-failed");
    }
}
