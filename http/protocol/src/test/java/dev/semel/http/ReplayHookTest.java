package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Header;
import dev.semel.Semel;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import dev.semel.http.stored.ReplayHook;
import dev.semel.http.stored.ReplayHook.Decision;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stored response is given out again only if the application agrees. */
class ReplayHookTest {

    private final Semel semel = Semel.builder(InMemoryKeyStore.create()).build();
    private final List<HttpEvent> events = new ArrayList<>();
    private final HttpGate gate = HttpGate.builder(semel)
            .listener(events::add)
            .statusPath("/operations")
            .build();
    private Function<ReplayHook.Replay, CompletionStage<Decision>> hook = replay -> decided(Decision.allow());
    private final HttpRules rules = HttpRules.builder(Policy.external("charge").build())
            .replayHook(replay -> hook.apply(replay))
            .build();

    @AfterEach
    void close() {
        semel.close();
    }

    private static CompletionStage<Decision> decided(Decision decision) {
        return CompletableFuture.completedStage(decision);
    }

    private static RequestHead head(String method, String path) {
        return RequestHead.of(method, path, null, name -> name.equals("Idempotency-Key") ? List.of("k") : List.of());
    }

    private Reply send() {
        Exchange exchange = (Exchange) gate.admit(head("POST", "/charges"), rules);
        try (Spool body = Spool.of(10)) {
            return exchange.run(
                            "alice",
                            body,
                            Runnable::run,
                            attempt -> CompletableFuture.completedFuture(HandlerResponse.of(
                                    201,
                                    List.of(new Header("Location", "/1")),
                                    "paid".getBytes(StandardCharsets.UTF_8))))
                    .toCompletableFuture()
                    .join();
        }
    }

    private Answer replay() {
        return ((Reply.Instead) send()).answer();
    }

    private static String text(Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void theHookIsAskedForReplaysAlone() {
        List<ReplayHook.Replay> asked = new ArrayList<>();
        hook = replay -> {
            asked.add(replay);
            return decided(Decision.allow());
        };

        assertThat(send()).isInstanceOf(Reply.Own.class);
        assertThat(asked).isEmpty();
        assertThat(text(replay())).isEqualTo("paid");
        assertThat(asked).singleElement().satisfies(replay -> {
            assertThat(replay.operation()).isEqualTo("charge");
            assertThat(replay.caller()).isEqualTo("alice");
            assertThat(replay.method()).isEqualTo("POST");
            assertThat(replay.path()).isEqualTo("/charges");
            assertThat(replay.headers().apply("Idempotency-Key")).containsExactly("k");
            assertThat(replay.stored().status()).isEqualTo(201);
            assertThat(replay.toString()).doesNotContain("alice").doesNotContain("paid");
        });
        assertThat(events).filteredOn(HttpEvent.Replayed.class::isInstance).hasSize(1);
    }

    @Test
    void aCallerWhoseRightsWereWithdrawnGetsNothingOfTheResponse() {
        send();
        hook = replay -> decided(Decision.deny());

        Answer answer = replay();
        assertThat(answer.status()).isEqualTo(403);
        assertThat(text(answer)).contains("replay-denied").doesNotContain("paid");
        assertThat(answer.headers()).extracting(Header::name).doesNotContain("Location");
        assertThat(events).filteredOn(HttpEvent.ReplayDenied.class::isInstance).hasSize(1);
        assertThat(events).filteredOn(HttpEvent.Replayed.class::isInstance).isEmpty();
    }

    @Test
    void anAnswerCanBeCompletedByTheApplication() {
        send();
        hook = replay ->
                decided(Decision.instead(replay.stored().withBody("paid, in full".getBytes(StandardCharsets.UTF_8))));

        assertThat(text(replay())).isEqualTo("paid, in full");
        assertThat(replay().status()).isEqualTo(201);
    }

    @Test
    void aHookThatFailsIsNoPermission() {
        send();
        hook = replay -> {
            throw new IllegalStateException("the directory is down");
        };
        assertThat(replay().status()).isEqualTo(503);
        hook = replay -> CompletableFuture.failedStage(new IllegalStateException("the directory is down"));
        assertThat(replay().status()).isEqualTo(503);
        assertThat(text(replay())).doesNotContain("paid");
    }

    /** Two rules of one operation: each request is treated by its own. */
    @Test
    void otherRulesOfTheOperationDoNotWithdrawTheHook() {
        send();
        gate.validate(HttpRules.of(Policy.external("charge").build()));
        hook = replay -> decided(Decision.deny());

        assertThat(replay().status()).isEqualTo(403);
    }

    @Test
    void theStatusResourceAsksToo() {
        String location = runAndAccept();
        Admission.Status status = (Admission.Status) gate.admit(head("GET", location), null);

        assertThat(text(answer(status))).isEqualTo("paid");
        gate.validate(HttpRules.of(
                Policy.external("charge").duplicates(Duplicates.accepted()).build()));
        hook = replay -> decided(Decision.deny());
        assertThat(answer(status).status()).isEqualTo(403);
    }

    /** A node that finds rules by request has not seen any of this operation yet, and so does not know its hook. */
    @Test
    void theStatusResourceOfANodeThatDoesNotKnowTheRulesGivesNothingOut() {
        String location = runAndAccept();
        hook = replay -> decided(Decision.deny());
        HttpGate other = HttpGate.builder(semel)
                .listener(events::add)
                .statusPath("/operations")
                .build();
        Admission.Status status = (Admission.Status) other.admit(head("GET", location), null);

        Answer unknown = answer(status);
        assertThat(unknown.status()).isEqualTo(503);
        assertThat(unknown.headers()).extracting(Header::name).contains("Retry-After");
        assertThat(text(unknown)).contains("store-unavailable").doesNotContain("paid");
        assertThat(events).filteredOn(HttpEvent.Replayed.class::isInstance).isEmpty();

        other.validate(accepting());
        assertThat(answer(status).status()).isEqualTo(403);
        hook = replay -> decided(Decision.allow());
        assertThat(text(answer(status))).isEqualTo("paid");
    }

    private static Answer answer(Admission.Status status) {
        return status.lookup().answer("alice").toCompletableFuture().join();
    }

    private HttpRules accepting() {
        return HttpRules.builder(Policy.external("charge")
                        .duplicates(Duplicates.accepted())
                        .build())
                .replayHook(replay -> hook.apply(replay))
                .build();
    }

    /** Where a duplicate was told to ask for an outcome that there is now. */
    private String runAndAccept() {
        HttpRules slow = accepting();
        CompletableFuture<HandlerResponse> running = new CompletableFuture<>();
        String location;
        try (Spool body = Spool.of(10)) {
            ((Exchange) gate.admit(head("POST", "/charges"), slow))
                    .run("alice", body, Runnable::run, attempt -> running);
            Reply duplicate = ((Exchange) gate.admit(head("POST", "/charges"), slow))
                    .run("alice", body, Runnable::run, attempt -> running)
                    .toCompletableFuture()
                    .join();
            location = ((Reply.Instead) duplicate)
                    .answer().headers().stream()
                            .filter(header -> header.name().equals("Location"))
                            .findFirst()
                            .orElseThrow()
                            .value();
        }
        running.complete(HandlerResponse.of(201, List.of(), "paid".getBytes(StandardCharsets.UTF_8)));
        return location;
    }
}
