package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Header;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The status resource speaks of an operation as the operation itself does. */
class StatusInDialectsTest {

    private static final HandlerResponse PAID =
            HandlerResponse.of(201, List.of(), "paid".getBytes(StandardCharsets.UTF_8));

    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Semel semel =
            Semel.builder(InMemoryKeyStore.builder().clock(() -> now).build()).build();
    private final HttpGate gate =
            HttpGate.builder(semel).statusPath("/operations").build();

    @AfterEach
    void close() {
        semel.close();
    }

    private static HttpRules rules(String operation, Dialect dialect) {
        return HttpRules.builder(Policy.external(operation).build())
                .dialect(dialect)
                .respondAsync(true)
                .build();
    }

    /** Where the outcome is, of an operation that ends like this. */
    private String run(HttpRules rules, String key, CompletableFuture<HandlerResponse> end) {
        RequestHead head = RequestHead.of("POST", "/charges", null, name -> switch (name) {
            case "Idempotency-Key" -> List.of(key);
            case "Prefer" -> List.of("respond-async");
            default -> List.of();
        });
        try (Spool body = Spool.of(10)) {
            Reply.Early early = (Reply.Early) ((Exchange) gate.admit(head, rules))
                    .run("alice", body, Runnable::run, attempt -> end)
                    .toCompletableFuture()
                    .join();
            if (end.isDone()) {
                early.rest().toCompletableFuture().join();
            }
            return early.answer().headers().stream()
                    .filter(header -> header.name().equals("Location"))
                    .findFirst()
                    .orElseThrow()
                    .value();
        }
    }

    private Answer ask(String path) {
        Admission.Status status =
                (Admission.Status) gate.admit(RequestHead.of("GET", path, null, name -> List.of()), null);
        return status.lookup().answer("alice").toCompletableFuture().join();
    }

    private static String text(Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void aReplayHasTheMarksOfItsDialect() {
        Answer ofAcp = ask(run(rules("acp", Dialect.named("acp")), "k1", CompletableFuture.completedFuture(PAID)));
        Answer ofUcp = ask(run(rules("ucp", Dialect.named("ucp")), "k2", CompletableFuture.completedFuture(PAID)));

        assertThat(text(ofAcp)).isEqualTo("paid");
        assertThat(ofAcp.headers())
                .contains(new Header("Idempotency-Key", "k1"), new Header("Idempotent-Replayed", "true"));
        assertThat(text(ofUcp)).isEqualTo("paid");
        assertThat(ofUcp.headers()).extracting(Header::name).doesNotContain("Idempotent-Replayed");
    }

    @Test
    void anUnknownOutcomeIsReportedInItsDialect() {
        CompletableFuture<HandlerResponse> lost =
                CompletableFuture.failedFuture(new OutcomeUnknownException("the bank did not answer", null));

        Answer ofStripe = ask(run(rules("stripe", Dialect.named("stripe")), "k1", lost));
        Answer ofDraft = ask(run(rules("draft", Dialect.draft()), "k2", lost));

        assertThat(ofStripe.status()).isEqualTo(409);
        assertThat(text(ofStripe)).startsWith("{\"error\":{").contains("outcome_unknown");
        assertThat(ofDraft.status()).isEqualTo(409);
        assertThat(text(ofDraft)).startsWith("{\"type\":\"urn:semel:problem:outcome-unknown\"");
    }

    /** A retry gets the same answer. */
    @Test
    void anOperationThatIsHeldIsUnknownAsSoonAsItsOwnerIsGone() {
        HttpRules held = rules("held", Dialect.draft());
        HttpRules repeated = HttpRules.builder(Policy.external("repeated")
                        .recovery(Recovery.RE_EXECUTE)
                        .build())
                .respondAsync(true)
                .build();
        CompletableFuture<HandlerResponse> never = new CompletableFuture<>();
        String ofHeld = run(held, "k1", never);
        String ofRepeated = run(repeated, "k2", never);
        assertThat(ask(ofHeld).status()).isEqualTo(202);

        now = now.plus(held.policy().lease()).plusSeconds(1);
        assertThat(text(ask(ofHeld))).contains("outcome-unknown");
        assertThat(ask(ofRepeated).status()).isEqualTo(202);
        never.complete(PAID);
    }

    @Test
    void answersWithoutAnOperationUseTheCommonDialect() {
        assertThat(text(ask("/operations/none"))).startsWith("{\"type\":\"urn:semel:problem:status-not-found\"");

        gate.validate(rules("first", Dialect.named("stripe")));
        gate.validate(rules("second", Dialect.named("stripe")));
        assertThat(ask("/operations/none").status()).isEqualTo(404);
        assertThat(text(ask("/operations/none"))).startsWith("{\"error\":{");

        gate.validate(rules("third", Dialect.named("acp")));
        assertThat(text(ask("/operations/none"))).startsWith("{\"type\":\"urn:semel:problem:status-not-found\"");
    }

    /** A page that describes the problems is also the documentation that they link to. */
    @Test
    void problemsLinkToThePageThatDescribesThem() {
        Dialect linked = Dialect.builder("draft", Dialect.draft())
                .problemPages(URI.create("https://docs.example.org/problems"))
                .build();
        HttpRules rules = rules("charge", linked);
        Admission refused = gate.admit(RequestHead.of("POST", "/charges", null, name -> List.of()), rules);

        Answer answer = ((Admission.Refused) refused).answer();
        assertThat(text(answer)).startsWith("{\"type\":\"https://docs.example.org/problems#key-missing\"");
        assertThat(answer.headers())
                .contains(
                        new Header(
                                "Link", "<https://docs.example.org/problems>; rel=\"describedby\"; type=\"text/html\""),
                        new Header("Content-Language", "en"));
        assertThat(rules.publishExpiry()).isTrue();
        assertThat(HttpRules.of(Policy.external("charge").build()).publishExpiry())
                .isFalse();
    }
}
