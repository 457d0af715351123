package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.semel.ExternalOperation;
import dev.semel.ExternalOperation.AsyncWork;
import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.spool.Spool;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.Resolution;
import dev.semel.store.StoreUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GateTest {

    private static final HttpRules RULES =
            HttpRules.of(Policy.external("charge").build());

    private volatile Instant now = Instant.EPOCH;
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(() -> now).build();
    private final Semel semel = Semel.builder(store).build();
    private final List<HttpEvent> events = new ArrayList<>();
    private final HttpGate gate = HttpGate.builder(semel)
            .listener(events::add)
            .statusPath("/operations")
            .build();
    private final AtomicInteger runs = new AtomicInteger();
    private final Map<String, List<String>> headers = new HashMap<>();
    private @Nullable String scope = "alice";

    @AfterEach
    void close() {
        semel.close();
    }

    private HandlerResponse created() {
        return response(201, null);
    }

    private HandlerResponse response(int status, @Nullable Throwable failure) {
        List<Header> made = List.of(
                new Header("Content-Type", "text/plain"),
                new Header("Set-Cookie", "a=b"),
                new Header("Location", "/charges/1"));
        byte[] text = ("run " + runs.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
        return HandlerResponse.of(status, made, text).withFailure(failure);
    }

    private Admission admit(HttpRules rules, String method, String path) {
        return gate.admit(RequestHead.of(method, path, null, name -> headers.getOrDefault(name, List.of())), rules);
    }

    private Reply post(HttpRules rules, String key, AsyncWork<HandlerResponse> handler) {
        headers.put("Idempotency-Key", List.of(key));
        headers.put("Content-Type", List.of("application/json"));
        Exchange exchange = (Exchange) admit(rules, "POST", "/charges");
        try (Spool body = Spool.of(1000)) {
            body.offer("{\"amount\":1}".getBytes(StandardCharsets.UTF_8));
            return send(exchange, scope, body, handler);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The way of adapters that hand over their handler. */
    Reply send(Exchange exchange, @Nullable String caller, Spool body, AsyncWork<HandlerResponse> handler) {
        return exchange.run(caller, body, Runnable::run, handler)
                .toCompletableFuture()
                .join();
    }

    private Reply post(String key) {
        return post(RULES, key, attempt -> CompletableFuture.completedFuture(created()));
    }

    private Reply post(String key, HandlerResponse response) {
        return post(RULES, key, attempt -> CompletableFuture.completedFuture(response));
    }

    private static Answer answer(Reply reply) {
        return ((Reply.Instead) reply).answer();
    }

    private static String text(Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static void assertProblem(Reply reply, ProblemType type) {
        assertThat(answer(reply).status()).isEqualTo(type.status());
        assertThat(text(answer(reply))).contains("\"" + type.uri() + "\"");
    }

    @Test
    void p5CountsRequestsThatPassUnprotected() {
        HttpRules optional = HttpRules.builder(Policy.external("charge").build())
                .keyRequired(false)
                .build();

        assertThat(admit(optional, "POST", "/charges")).isInstanceOf(Admission.PassThrough.class);
        assertThat(admit(optional, "GET", "/charges")).isInstanceOf(Admission.PassThrough.class);
        assertThat(events)
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new HttpEvent.Unprotected("charge"));
    }

    @Test
    void p5CountsRefusalsAndLinksToTheDocumentation() {
        HttpRules documented = HttpRules.builder(Policy.external("charge").build())
                .documentation(URI.create("https://example.com/keys"))
                .build();

        Admission refused = admit(documented, "POST", "/charges");

        assertThat(((Admission.Refused) refused).answer().headers())
                .contains(new Header("Link", "<https://example.com/keys>; rel=\"describedby\"; type=\"text/html\""));
        assertThat(events)
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new HttpEvent.Refused("charge", ProblemType.KEY_MISSING));
    }

    @Test
    void reportsWhichDuplicatesCameAndTheirAnswers() {
        post("k1", created());
        scope = "bob";
        post(RULES, "k2", attempt -> {
            assertProblem(post("k2"), ProblemType.IN_FLIGHT);
            return CompletableFuture.completedFuture(created());
        });

        assertThat(events)
                .extracting(Object::getClass)
                .isEqualTo(List.of(
                        HttpEvent.Arrived.class,
                        HttpEvent.Arrived.class,
                        HttpEvent.Arrived.class,
                        HttpEvent.ToldToRetry.class));
        assertThat(((HttpEvent.ToldToRetry) events.get(3)).key().scope()).isEqualTo("bob");
        assertThat(((HttpEvent.ToldToRetry) events.get(3)).after()).isPositive();
    }

    @Test
    void aListenerThatFailsChangesNothing() {
        HttpGate told = HttpGate.builder(semel)
                .listener(event -> {
                    throw new IllegalStateException("listener");
                })
                .build();
        HttpRules optional = HttpRules.builder(Policy.external("charge").build())
                .keyRequired(false)
                .build();

        assertThat(told.admit(RequestHead.of("POST", "/", null, name -> List.of()), optional))
                .isInstanceOf(Admission.PassThrough.class);
    }

    @Test
    void passesWhatNoRulesApplyTo() {
        assertThat(gate.admit(RequestHead.of("POST", "/", null, name -> List.of()), null))
                .isInstanceOf(Admission.PassThrough.class);
        assertThat(events).isEmpty();
    }

    @Test
    void p9ReplaysTheStoredResponse() {
        assertThat(post("k1")).isInstanceOf(Reply.Own.class);

        Answer second = answer(post("\"k1\""));

        assertThat(second.status()).isEqualTo(201);
        assertThat(text(second)).isEqualTo("run 1");
        assertThat(second.headers())
                .containsExactly(
                        new Header("Content-Type", "text/plain"),
                        new Header("Location", "/charges/1"),
                        new Header("Idempotent-Replayed", "true"));
        assertThat(runs).hasValue(1);
    }

    @Test
    void p9ReplaysNoHeaderOfOneMessageOrSessionThatAReconcilerGave() {
        List<Header> given = List.of(
                new Header("content-type", "text/html"),
                new Header("Content-Length", "999"),
                new Header("Transfer-Encoding", "chunked"),
                new Header("Set-Cookie", "a=b"),
                new Header("Location", "/charges/1"));
        settle("k1", Outcome.succeeded().contentType("text/plain").headers(given));
        settle("k2", Outcome.succeeded().headers(given));

        assertThat(answer(post("k1")).headers())
                .containsExactly(
                        new Header("Content-Type", "text/plain"),
                        new Header("Location", "/charges/1"),
                        new Header("Idempotent-Replayed", "true"));
        assertThat(answer(post("k2")).headers())
                .containsExactly(
                        new Header("content-type", "text/html"),
                        new Header("Location", "/charges/1"),
                        new Header("Idempotent-Replayed", "true"));
    }

    /** As a reconciler or an operator does it, for an attempt that cannot tell what it did. */
    private void settle(String key, Outcome.Builder outcome) {
        post(RULES, key, attempt -> {
            Resolution settle = new Resolution.Settle(
                    outcome.status(201).payload(new byte[0]).build());
            now = now.plus(RULES.policy().lease().multipliedBy(2));
            assertThat(store.resolve(attempt.key().digest(), attempt.token(), settle, "found it"))
                    .isCompletedWithValue(true);
            return CompletableFuture.failedFuture(new OutcomeUnknownException("no answer", null));
        });
    }

    @Test
    void p9TheMarkerCanBeRenamedAndSentTwice() {
        HttpGate own = HttpGate.builder(semel)
                .replayMarker("Idempotency-Hit", "X-Idempotency-Replayed")
                .build();
        post("k1");
        Exchange exchange = (Exchange) own.admit(
                RequestHead.of("POST", "/charges", null, name -> headers.getOrDefault(name, List.of())), RULES);

        Reply reply = exchange.run("alice", body(), Runnable::run, attempt -> {
                    throw new AssertionError("must not run");
                })
                .toCompletableFuture()
                .join();

        assertThat(answer(reply).headers())
                .contains(new Header("Idempotency-Hit", "true"), new Header("X-Idempotency-Replayed", "true"))
                .doesNotContain(new Header("Idempotent-Replayed", "true"));
    }

    private static Spool body() {
        Spool body = Spool.of(1000);
        try {
            body.offer("{\"amount\":1}".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return body;
    }

    @Test
    void p10SendsTheResponseOfAHandlerThatCannotTellWhatItDidAndHoldsTheKey() {
        HandlerResponse timedOut = response(504, new OutcomeUnknownException("no answer in time", null));

        assertThat(post("k2", timedOut)).isInstanceOf(Reply.Own.class);
        assertProblem(post("k2"), ProblemType.OUTCOME_UNKNOWN);
        assertThat(runs).hasValue(1);
    }

    @Test
    void p12SendsTheResponseToAFailureThatMeansNotExecutedAndReleasesTheKey() {
        assertThat(post("k", response(503, new NotExecutedException("later", null))))
                .isInstanceOf(Reply.Own.class);

        assertThat(post("k")).isInstanceOf(Reply.Own.class);
        assertThat(text(answer(post("k")))).isEqualTo("run 2");
    }

    @Test
    void p12ReleasesTheKeyOfARequestThatWasRefusedBeforeItsHandlerWasEntered() {
        assertThat(post("k", response(400, null).notEntered())).isInstanceOf(Reply.Own.class);

        assertThat(post("k")).isInstanceOf(Reply.Own.class);
        assertThat(text(answer(post("k")))).isEqualTo("run 2");
    }

    @Test
    void p12DoesNotTakeTheEmptyResponseToAnExceptionForASuccess() {
        HandlerResponse nothing =
                HandlerResponse.of(200, List.of(), new byte[0]).withFailure(new IllegalStateException("reset"));

        assertThat(answer(post("k", nothing)).status()).isEqualTo(500);

        assertThat(answer(post("k")).status()).isEqualTo(500);
        assertThat(runs).hasValue(0);
    }

    @Test
    void p12aDoesNotStoreWhatAnInterruptedHandlerAnswers() {
        RuntimeException interrupted = new IllegalStateException(new StoreUnavailableException("gone", null));

        assertProblem(post("k1", response(500, interrupted)), ProblemType.STORE_UNAVAILABLE);
        assertProblem(
                post(RULES, "k2", attempt -> CompletableFuture.failedFuture(interrupted)),
                ProblemType.STORE_UNAVAILABLE);
        assertProblem(post("k1"), ProblemType.OUTCOME_UNKNOWN);
        assertProblem(post("k2"), ProblemType.OUTCOME_UNKNOWN);
    }

    @Test
    void p12aDoesNotSayOfAHandlerWhatIsTrueOfAnOperationInsideItOnly() {
        assertProblem(
                post(RULES, "k1", attempt -> {
                    runs.incrementAndGet();
                    return CompletableFuture.failedFuture(denialInside());
                }),
                ProblemType.OUTCOME_UNKNOWN);
        assertProblem(
                post(RULES, "k2", attempt -> CompletableFuture.completedFuture(response(503, denialInside()))),
                ProblemType.OUTCOME_UNKNOWN);
        assertProblem(post("k1"), ProblemType.OUTCOME_UNKNOWN);
        assertProblem(post("k2"), ProblemType.OUTCOME_UNKNOWN);
        assertThat(runs).hasValue(2);
    }

    private Throwable denialInside() {
        ExternalOperation<String> inside =
                semel.operation(Policy.external("reserve").build(), OutcomeCodec.text());
        return catchThrowable(() -> inside.run(Key.of("merchant", "k-" + runs), Fingerprint.of("1"), attempt -> {
            throw new NotExecutedException("sold out");
        }));
    }

    @Test
    void p12aDoesNotStoreWhatACancelledHandlerAnswers() {
        RuntimeException cancelled = new CancellationException("took too long");

        assertProblem(post("k1", response(500, cancelled)), ProblemType.OUTCOME_UNKNOWN);
        assertProblem(
                post(RULES, "k2", attempt -> CompletableFuture.failedFuture(new IllegalStateException(cancelled))),
                ProblemType.OUTCOME_UNKNOWN);
        assertProblem(post("k1"), ProblemType.OUTCOME_UNKNOWN);
        assertProblem(post("k2"), ProblemType.OUTCOME_UNKNOWN);
        assertThat(runs).hasValue(1);
    }

    @Test
    void p12aSendsTheClientOfAnInterruptedHandlerBackWhenItsLeaseHasLapsed() {
        HttpRules rules = HttpRules.of(Policy.external("charge")
                .recovery(Recovery.RE_EXECUTE)
                .lease(Duration.ofMillis(1500))
                .build());

        Reply reply = post(
                rules, "k", attempt -> CompletableFuture.failedFuture(new OutcomeUnknownException("no answer", null)));

        assertProblem(reply, ProblemType.IN_FLIGHT);
        assertThat(answer(reply).headers()).contains(new Header("Retry-After", "2"));
    }

    @Test
    void p12StoresAProblemForAHandlerThatFails() {
        Reply first = post(RULES, "k", attempt -> CompletableFuture.failedFuture(new IllegalStateException("secret")));
        Reply second = post("k");

        assertProblem(first, ProblemType.OPERATION_FAILED);
        assertThat(text(answer(second))).isEqualTo(text(answer(first))).doesNotContain("secret");
        assertThat(runs).hasValue(0);
    }

    @Test
    void p12TreatsAHandlerThatThrowsLikeOneWhoseStageFails() {
        Reply reply = post(RULES, "k", attempt -> {
            throw new NotExecutedException("busy", null);
        });

        assertProblem(reply, ProblemType.NOT_EXECUTED);
        assertThat(post("k")).isInstanceOf(Reply.Own.class);
    }

    @Test
    void p13SaysThatAResponseWasNotRetained() {
        List<Header> made = List.of(
                new Header("Content-Type", "video/mp4"),
                new Header("ETag", "\"1\""),
                new Header("Cache-Control", "public"));
        post("k", HandlerResponse.of(200, made, null));

        Answer second = answer(post("k"));

        assertProblem(new Reply.Instead(second), ProblemType.RESPONSE_NOT_RETAINED);
        assertThat(second.headers())
                .contains(new Header("ETag", "\"1\""), new Header("Content-Type", "application/problem+json"))
                .doesNotContain(new Header("Content-Type", "video/mp4"), new Header("Cache-Control", "public"));
    }

    @Test
    void p10AnAttemptThatLostItsKeyDoesNotAnswerForIt() {
        HttpRules rules = HttpRules.of(
                Policy.external("charge").recovery(Recovery.RE_EXECUTE).build());
        Reply first = post(rules, "k", attempt -> {
            now = now.plus(rules.policy().lease().multipliedBy(2));
            Resolution release = new Resolution.Release();
            assertThat(store.resolve(attempt.key().digest(), attempt.token(), release, "looks dead"))
                    .isCompletedWithValue(true);
            return CompletableFuture.completedFuture(created());
        });

        assertProblem(first, ProblemType.IN_FLIGHT);
    }

    @Test
    void p17RefusesWhenTheEngineIsClosed() {
        semel.close();

        assertProblem(post("k"), ProblemType.STORE_UNAVAILABLE);
        assertThat(runs).hasValue(0);
    }

    @Test
    void p18RefusesARequestWithoutCaller() {
        scope = null;
        assertProblem(post("k"), ProblemType.CALLER_UNKNOWN);
        scope = "";
        assertProblem(post("k"), ProblemType.CALLER_UNKNOWN);
        assertThat(runs).hasValue(0);
    }

    @Test
    void p18TakesAnyNameOfACaller() {
        for (String name : List.of("x".repeat(1000), "CN=a\nb", "\ud800", "x".repeat(1001))) {
            scope = name;
            assertThat(post("k")).as(name).isInstanceOf(Reply.Own.class);
            assertThat(post("k")).as(name).isInstanceOf(Reply.Instead.class);
        }
        assertThat(runs).hasValue(4);
    }

    @Test
    void refusesARequestThatLacksWhatItsKeyIsMadeOf() {
        HttpRules rules = HttpRules.builder(Policy.external("pay").build())
                .keySource(KeySource.naturalFields("/order"))
                .build();

        assertProblem(
                post(rules, "ignored", attempt -> CompletableFuture.completedFuture(created())),
                ProblemType.KEY_NOT_DERIVABLE);
        assertThat(runs).hasValue(0);
    }

    @Test
    void p8WantsAStatusPathWhereDuplicatesAreAccepted() {
        HttpRules accepted = HttpRules.of(
                Policy.external("charge").duplicates(Duplicates.accepted()).build());

        assertThatThrownBy(() -> HttpGate.builder(semel).build().validate(accepted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("statusPath");
        assertThatThrownBy(() -> HttpGate.builder(semel).statusPath("operations"))
                .hasMessageContaining("operations");
    }

    @Test
    void p8TheStatusResourceAnswers404ToAnUnknownReference() {
        for (String reference : List.of("", "x", "../charges", "0".repeat(32), "0".repeat(33))) {
            Admission.Status status = (Admission.Status) admit(RULES, "GET", "/operations/" + reference);
            assertThat(status.lookup()
                            .answer("alice")
                            .toCompletableFuture()
                            .join()
                            .status())
                    .as(reference)
                    .isEqualTo(404);
        }
        assertThat(admit(RULES, "GET", "/operationsX")).isInstanceOf(Admission.PassThrough.class);
        assertThat(admit(RULES, "DELETE", "/operations/" + "0".repeat(32))).isInstanceOf(Admission.PassThrough.class);
    }
}
