package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Header;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Semel;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.KeyState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code Prefer: respond-async} on a first request. */
class RespondAsyncTest {

    private final CompletableFuture<Void> claims = new CompletableFuture<>();
    private final InMemoryKeyStore memory = InMemoryKeyStore.create();
    private final Semel semel = Semel.builder(new ForwardingKeyStore(memory) {
                @Override
                public CompletionStage<Claim> claim(ClaimRequest request) {
                    return claims.thenCompose(now -> memory.claim(request));
                }
            })
            .build();
    private final HttpGate gate =
            HttpGate.builder(semel).statusPath("/operations").build();
    private final HttpRules rules = HttpRules.builder(Policy.external("charge").build())
            .respondAsync(true)
            .build();
    private final CompletableFuture<HandlerResponse> running = new CompletableFuture<>();

    @AfterEach
    void close() {
        claims.complete(null);
        running.complete(done());
        semel.close();
    }

    private static HandlerResponse done() {
        return HandlerResponse.of(201, List.of(), "paid".getBytes(StandardCharsets.UTF_8));
    }

    private CompletableFuture<Reply> send(String prefer) {
        return send(prefer, "", running);
    }

    private CompletableFuture<Reply> send(String prefer, String content, CompletionStage<HandlerResponse> handler) {
        RequestHead head = RequestHead.of("POST", "/charges", null, name -> switch (name) {
            case "Idempotency-Key" -> List.of("k");
            case "Prefer" -> List.of(prefer);
            default -> List.of();
        });
        Exchange exchange = (Exchange) gate.admit(head, rules);
        try (Spool body = Spool.of(10)) {
            body.offer(content.getBytes(StandardCharsets.UTF_8));
            return exchange.run("alice", body, Runnable::run, attempt -> handler)
                    .toCompletableFuture();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the status resource answers at the location that the answer names. */
    private Answer status(Answer accepted) {
        String location = accepted.headers().stream()
                .filter(header -> header.name().equals("Location"))
                .map(Header::value)
                .findFirst()
                .orElseThrow();
        RequestHead head = RequestHead.of("GET", location, null, name -> List.of());
        return ((Admission.Status) gate.admit(head, null))
                .lookup()
                .answer("alice")
                .toCompletableFuture()
                .join();
    }

    @Test
    void theAnswerGoesOutWhenTheClaimIsDurableAndNotBefore() {
        CompletableFuture<Reply> reply = send("respond-async, wait=10");
        assertThat(reply).isNotDone();

        claims.complete(null);
        Reply.Early early = (Reply.Early) reply.join();

        assertThat(early.answer().status()).isEqualTo(202);
        assertThat(early.answer().headers())
                .contains(new Header("Preference-Applied", "respond-async"))
                .extracting(Header::name)
                .contains("Location", "Retry-After");
        assertThat(semel.find(Key.of("alice", "k")).toCompletableFuture().join())
                .hasValueSatisfying(record -> assertThat(record.state()).isEqualTo(KeyState.PENDING));
        assertThat(early.rest().toCompletableFuture()).isNotDone();
        running.complete(done());
        assertThat(early.rest().toCompletableFuture().join()).isInstanceOf(Reply.Own.class);
        Answer replayed = ((Reply.Instead) send("respond-async").join()).answer();
        assertThat(new String(replayed.body(), StandardCharsets.UTF_8)).isEqualTo("paid");
    }

    @Test
    void aRequestThatWasNotExecutedIsNotGivenTheOutcomeOfTheNextOneWithItsKey() {
        claims.complete(null);
        CompletableFuture<HandlerResponse> refused = new CompletableFuture<>();
        Answer first = ((Reply.Early) send("respond-async", "pay 1", refused).join()).answer();
        refused.completeExceptionally(new NotExecutedException("out of stock"));

        Answer second = ((Reply.Early) send("respond-async", "pay 2", running).join()).answer();
        running.complete(done());

        assertThat(status(second).status()).isEqualTo(201);
        assertThat(status(first).status()).isEqualTo(404);
    }

    @Test
    void aRetryOfARequestThatWasNotExecutedIsFoundWhereTheRequestWas() {
        claims.complete(null);
        CompletableFuture<HandlerResponse> refused = new CompletableFuture<>();
        Answer first = ((Reply.Early) send("respond-async", "pay 1", refused).join()).answer();
        refused.completeExceptionally(new NotExecutedException("out of stock"));

        send("", "pay 1", running);
        running.complete(done());

        assertThat(status(first).status()).isEqualTo(201);
    }

    @Test
    void aClientThatDoesNotAskForItWaits() {
        claims.complete(null);
        CompletableFuture<Reply> reply = send("respond-asynchronously");
        assertThat(reply).isNotDone();

        running.complete(done());
        assertThat(reply.join()).isInstanceOf(Reply.Own.class);
    }

    @Test
    void anOperationWhoseClaimMayNotBeDurableIsRefused() {
        HttpRules.Builder open = HttpRules.builder(Policy.external("charge")
                        .whenStoreIsDown(WhenStoreIsDown.OPEN)
                        .build())
                .respondAsync(true);

        assertThatThrownBy(open::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("charge");
    }

    @Test
    void anOperationWithoutAPlaceToAskIsRefused() {
        HttpGate without = HttpGate.builder(semel).build();

        assertThatThrownBy(() -> without.validate(rules))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("statusPath");
    }
}
