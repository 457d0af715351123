package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.http.shadow.ShadowExchange;
import dev.semel.http.shadow.ShadowFinding;
import dev.semel.http.shadow.ShadowRecorder;
import dev.semel.http.shadow.ShadowReport;
import dev.semel.http.shadow.ShadowedEnd;
import dev.semel.http.spool.Spool;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShadowModeTest {

    private static final HttpRules SHADOW =
            HttpRules.builder(Policy.external("charge").build()).shadow(true).build();

    private volatile Instant now = Instant.parse("2026-11-18T06:00:00Z");
    private final InMemoryKeyStore store =
            InMemoryKeyStore.builder().clock(() -> now).build();
    private final Semel semel =
            Semel.builder(store).maintenanceInterval(Duration.ZERO).build();
    private final List<HttpEvent> events = new CopyOnWriteArrayList<>();
    private final ShadowRecorder recorder =
            ShadowRecorder.builder(store).clock(() -> now).build();
    private final HttpGate gate =
            HttpGate.builder(semel).listener(events::add).shadow(recorder).build();
    private final List<Long> ended = new ArrayList<>();

    @AfterEach
    void close() {
        recorder.close();
        semel.close();
    }

    private ShadowExchange begin(@Nullable String key, String body) {
        Map<String, List<String>> headers = new HashMap<>();
        headers.put("Content-Type", List.of("application/json"));
        if (key != null) {
            headers.put("Idempotency-Key", List.of(key));
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        ShadowExchange exchange = gate.shadow(
                RequestHead.of("POST", "/charges", null, name -> headers.getOrDefault(name, List.of())),
                SHADOW,
                bytes.length);
        exchange.body().add(bytes, 0, bytes.length);
        return exchange;
    }

    private void end(ShadowExchange exchange, int status) {
        end(exchange, status, null);
    }

    private void end(ShadowExchange exchange, int status, @Nullable Throwable failure) {
        exchange.ended("alice", status, failure, false);
        ended.add(1L);
        report();
    }

    private void run(@Nullable String key, String body, int status) {
        end(begin(key, body), status);
    }

    /** The report, when it has all requests. */
    private ShadowReport report() {
        return await().until(
                        () -> {
                            recorder.write().toCompletableFuture().join();
                            return ShadowReport.read(store, null, Duration.ofDays(7))
                                    .toCompletableFuture()
                                    .join();
                        },
                        report -> report.requests() == ended.size());
    }

    private Map<ShadowFinding, Long> found() {
        List<ShadowReport.Caller> callers = report().callers();
        return callers.isEmpty() ? Map.of() : callers.get(0).counts();
    }

    @Test
    void aRetryWhileTheFirstRequestRunsWouldHaveWaited() {
        ShadowExchange first = begin("k", "{}");
        now = now.plusSeconds(1);
        ShadowExchange second = begin("k", "{}");
        now = now.plusSeconds(1);
        end(second, 201);
        now = now.plusSeconds(1);
        end(first, 201);

        assertThat(found()).isEqualTo(Map.of(ShadowFinding.EXECUTED_IN_PARALLEL, 1L));
    }

    @Test
    void theSameRequestUnderAnotherKeyIsNoRetryWhenItComesLate() {
        run("k1", "{}", 201);
        now = now.plusSeconds(31);
        run("k2", "{}", 201);

        assertThat(found()).isEmpty();
    }

    @Test
    void aRequestThatFailedIsNotExecutedTwiceByARetryUnderANewKey() {
        run("k1", "{}", 500);
        run("k2", "{}", 201);

        assertThat(found()).isEmpty();
    }

    @Test
    void aKeyIsForgottenWhenItsRetentionHasPassed() {
        run("k", "{}", 201);
        now = now.plus(Duration.ofHours(25));
        run("k", "{}", 201);

        assertThat(found()).isEmpty();
    }

    @Test
    void aKeyWhoseOutcomeIsUnknownWouldHaveBeenHeld() {
        end(begin("k1", "{\"a\":1}"), 504, new OutcomeUnknownException("no answer came", null));
        end(begin("k2", "{\"a\":2}"), 500, new IllegalStateException(new CancellationException()));
        end(begin("k3", "{\"a\":3}"), 500, new IllegalStateException("its own failure"));
        end(begin("k4", "{\"a\":4}"), 503, new NotExecutedException("not sent", null));
        end(begin(null, "{\"a\":5}"), 504, new OutcomeUnknownException("no answer came", null));

        assertThat(found()).isEqualTo(Map.of(ShadowFinding.OUTCOME_UNKNOWN, 2L, ShadowFinding.KEY_MISSING, 1L));
        assertThat(report().outcomesUnknown()).isEqualTo(2);
        assertThat(report().json()).containsEntry("outcomesUnknown", 2L);
        assertThat(report().text())
                .contains("outcome unknown")
                .contains("The outcome of 2 operations is unknown. Protection would hold their keys");
    }

    @Test
    void aKeyIsHeldOnce() {
        for (int tries = 0; tries < 3; tries++) {
            end(begin("k", "{}"), 504, new OutcomeUnknownException("no answer came", null));
        }

        assertThat(found()).isEqualTo(Map.of(ShadowFinding.OUTCOME_UNKNOWN, 1L, ShadowFinding.RETRIED_WITH_ERROR, 2L));
    }

    @Test
    void whatRunsInATransactionIsRolledBackAndNotHeld() {
        HttpRules transactional = HttpRules.builder(
                        Policy.transactional("order").build())
                .transactions(new NoTransactions())
                .shadow(true)
                .build();
        HandlerResponse response = HandlerResponse.of(504, List.of(), null)
                .withFailure(new OutcomeUnknownException("no answer came", null));

        assertThat(HandlerEnd.meaning(transactional, response)).isEqualTo(ShadowedEnd.EXECUTED);
        assertThat(HandlerEnd.meaning(SHADOW, response)).isEqualTo(ShadowedEnd.UNKNOWN);
    }

    @Test
    void tellsMetricsWhatWasFound() {
        run(null, "{}", 201);
        run("k", "{\"a\":1}", 201);
        run("k2", "{\"a\":1}", 201);

        assertThat(events)
                .usingRecursiveFieldByFieldElementComparator()
                .contains(
                        new HttpEvent.Shadowed("charge", ShadowFinding.KEY_MISSING),
                        new HttpEvent.Unprotected("charge"),
                        new HttpEvent.Shadowed("charge", ShadowFinding.EXECUTED_UNDER_NEW_KEY))
                .filteredOn(event -> event instanceof HttpEvent.Arrived)
                .hasSize(2);
    }

    @Test
    void keepsNeitherBodiesNorKeys() {
        run("the-key-of-the-client", "{\"card\":\"4242\"}", 201);

        assertThat(records()).isNotEmpty().allSatisfy(record -> {
            assertThat(record.key().value()).doesNotContain("the-key-of-the-client");
            assertThat(new String(record.outcome().requirePayload(), StandardCharsets.UTF_8))
                    .doesNotContain("4242");
        });
    }

    @Test
    void aProtectedRequestNeverMeetsWhatShadowModeRecorded() {
        run("k", "{\"a\":1}", 201);
        HttpRules real = HttpRules.of(Policy.external("charge").build());
        Map<String, List<String>> headers = Map.of("Idempotency-Key", List.of("k"));
        RequestHead head = RequestHead.of("POST", "/charges", null, name -> headers.getOrDefault(name, List.of()));

        assertThat(gate.shadow(head, real, -1)).isNull();
        assertThat(((Exchange) gate.admit(head, real)).claim("alice", Spool.inMemory(100)))
                .isInstanceOf(RequestClaim.Owned.class);
    }

    @Test
    void anEngineResolvesWhatANodeInShadowModeHadNotFinished() {
        run("k", "{}", 201);
        KeyRecord settled = records().stream()
                .filter(record -> record.key().value().startsWith("key:"))
                .findFirst()
                .orElseThrow();
        store.claim(ClaimRequest.builder(
                                settled.key().namespace().key("bob", "key:1"),
                                settled.operation(),
                                settled.fingerprint())
                        .build())
                .toCompletableFuture()
                .join();
        now = now.plusSeconds(60);
        assertThat(KeyQuery.inState(KeyState.LAPSED, 10))
                .satisfies(query -> assertThat(
                                store.page(query).toCompletableFuture().join().records())
                        .hasSize(1));

        semel.maintain().toCompletableFuture().join();

        assertThat(records()).extracting(KeyRecord::state).contains(KeyState.FAILED);
        assertThat(records()).extracting(KeyRecord::state).doesNotContain(KeyState.LAPSED, KeyState.UNKNOWN);
    }

    @Test
    void rulesInShadowModeNeedARecorder() {
        HttpGate without = HttpGate.builder(semel).build();
        RequestHead head = RequestHead.of("POST", "/charges", null, name -> List.of());

        assertThatThrownBy(() -> without.validate(SHADOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HttpGate.builder(...).shadow");
        assertThat(without.shadow(head, SHADOW, -1)).isNull();
        assertThat(without.admit(head, SHADOW)).isInstanceOf(Admission.PassThrough.class);
    }

    @Test
    void rulesInShadowModeNeedNoStatusResource() {
        gate.validate(HttpRules.builder(Policy.external("later")
                        .duplicates(Duplicates.accepted())
                        .build())
                .shadow(true)
                .build());

        assertThat(events).isEmpty();
    }

    @Test
    void anAttemptInShadowModeRunsItsStepsAndHasNewChildKeys() throws Exception {
        ShadowExchange first = begin("k", "{}");
        ShadowExchange second = begin("k", "{}");

        assertThat(first.attempt().step("charge", dev.semel.Codec.text(), () -> "ran"))
                .isEqualTo("ran");
        assertThat(first.attempt().childKey("charge"))
                .isNotEqualTo(second.attempt().childKey("charge"));
        first.abandoned();
        second.abandoned();
    }

    @Test
    void bodiesThatExceedTheQueueAreDroppedAndNotHeld() {
        List<ShadowExchange> open = new ArrayList<>();
        byte[] body = new byte[64 << 10];
        for (int i = 0; i < 600; i++) {
            ShadowExchange exchange = begin("k" + i, "");
            exchange.body().add(body, 0, body.length);
            open.add(exchange);
        }

        open.forEach(exchange -> exchange.ended("alice", 201, null, false));

        await().until(() -> recorder.dropped() >= 600 - 512);
    }

    private static final class NoTransactions implements TransactionRunner<String> {

        @Override
        public <R> R inTransaction(Work<String, R> work) throws Exception {
            return work.run("none");
        }
    }

    private List<KeyRecord> records() {
        return store.page(KeyQuery.builder(100).build())
                .toCompletableFuture()
                .join()
                .records();
    }

    @Test
    void anOutcomeOfShadowModeIsSmall() {
        run("k", "{}", 201);

        assertThat(records())
                .extracting(KeyRecord::outcome)
                .extracting(Outcome::requirePayload)
                .allSatisfy(payload -> assertThat(payload).hasSizeLessThan(500));
    }
}
