package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.client.sending.SendHistory;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryLoopTest {

    private static final URI API = URI.create("http://api.example/charges");

    private final FakeTimer timer = new FakeTimer();
    private final Script script = new Script();
    private RetryPolicy policy = RetryPolicy.builder()
            .maxAttempts(4)
            .attemptTimeout(Duration.ofSeconds(10))
            .deadline(Duration.ofSeconds(60))
            .delays(Duration.ofMillis(100), Duration.ofSeconds(5))
            .build();

    /** Answers in the order it was told, and notes what it was asked. */
    private static final class Script implements RetryLoop.Sender<String> {

        private final Deque<CompletableFuture<ServerAnswer<String>>> answers = new ArrayDeque<>();
        private final List<String> asked = new ArrayList<>();

        Script fails(Exception failure) {
            answers.add(CompletableFuture.failedFuture(failure));
            return this;
        }

        Script answers(int status, String body, String... headers) {
            Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (int i = 0; i < headers.length; i += 2) {
                fields.put(headers[i], headers[i + 1]);
            }
            answers.add(CompletableFuture.completedFuture(new ServerAnswer<>(
                    status,
                    name -> Optional.ofNullable(fields.get(name)),
                    body.getBytes(StandardCharsets.UTF_8),
                    body)));
            return this;
        }

        @Override
        public CompletionStage<ServerAnswer<String>> send(Duration timeout) {
            asked.add("send");
            return answers.remove();
        }

        @Override
        public CompletionStage<ServerAnswer<String>> ask(URI location, Duration timeout) {
            asked.add("ask " + location);
            return answers.remove();
        }
    }

    private RetryLoop.Result<String> run() {
        return RetryLoop.run("POST", API, "k", policy, RetryLoop.MARKERS, script, timer, SendHistory.begun(timer.now()))
                .join();
    }

    private static String problem(String outcome, String retry) {
        return "{\"outcome\":\"" + outcome + "\",\"retry\":\"" + retry + "\"}";
    }

    private <T extends NoAnswerException> T failure(Class<T> type) {
        try {
            throw new AssertionError("got " + run());
        } catch (CompletionException e) {
            assertThat(e.getCause()).isInstanceOf(type);
            return type.cast(e.getCause());
        }
    }

    @Test
    void givesTheFirstAnswer() {
        script.answers(201, "made");

        RetryLoop.Result<String> result = run();
        assertThat(result.answer().response()).isEqualTo("made");
        assertThat(result.replayed()).isFalse();
        assertThat(result.attempts()).extracting(RequestAttempt::status).containsExactly(201);
    }

    @Test
    void triesAgainAfterAConnectionErrorWithGrowingDelays() {
        script.fails(new IOException("reset"))
                .fails(new IOException("reset"))
                .answers(201, "", "Idempotent-Replayed", "true");

        RetryLoop.Result<String> result = run();
        assertThat(result.replayed()).isTrue();
        assertThat(result.attempts()).extracting(RequestAttempt::status).containsExactly(0, 0, 201);
        assertThat(timer.waited).containsExactly(Duration.ofMillis(100), Duration.ofMillis(200));
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 409, 425, 429, 500, 501, 502, 503, 504})
    void triesAgainAfterStatusesThatSayNothingOfTheOutcome(int status) {
        script.answers(status, "").answers(201, "");

        assertThat(run().attempts()).extracting(RequestAttempt::status).containsExactly(status, 201);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 303, 400, 401, 404, 410, 422})
    void takesOtherStatusesForTheAnswer(int status) {
        script.answers(status, "");

        assertThat(run().attempts()).extracting(RequestAttempt::status).containsExactly(status);
    }

    @Test
    void neverRetriesAReplayedError() {
        script.answers(503, "", "X-Idempotency-Replayed", "true", "Retry-After", "1");

        assertThat(run().replayed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"409,pending,new-key", "503,not-applied,never", "409,applied,never"})
    void believesAProblemThatSaysNotToRetry(int status, String outcome, String retry) {
        script.answers(status, problem(outcome, retry));

        assertThat(run().attempts()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 503})
    void believesAProblemThatSaysThatTheOutcomeStaysUnknown(int status) {
        script.answers(status, problem("unknown", "never"));

        assertThat(failure(MaybeAppliedException.class).attempts()).hasSize(1);
    }

    @Test
    void believesAProblemThatSaysToRetryA500() {
        script.answers(500, problem("not-applied", "same-key")).answers(201, "");

        assertThat(run().attempts()).hasSize(2);
    }

    @Test
    void doesNotRepeatARefusalThatOnlyTheCallerCanFix() {
        script.answers(403, problem("not-applied", "same-key"));

        assertThat(run().answer().status()).isEqualTo(403);
    }

    @Test
    void followsStripesOwnHeader() {
        script.answers(500, "", "Stripe-Should-Retry", "true")
                .answers(409, "", "Stripe-Should-Retry", "true")
                .answers(503, "", "Stripe-Should-Retry", "false");

        assertThat(failure(MaybeAppliedException.class).attempts())
                .extracting(RequestAttempt::status)
                .containsExactly(500, 409, 503);
        script.answers(402, "", "Stripe-Should-Retry", "false");
        assertThat(run().attempts()).extracting(RequestAttempt::status).containsExactly(402);
    }

    @Test
    void takesAStatusThatThePolicyDeclaresFinal() {
        policy = RetryPolicy.builder().finalStatuses(409).build();
        script.answers(409, "");

        assertThat(run().answer().status()).isEqualTo(409);
    }

    @Test
    void waitsAsLongAsTheServerAsks() {
        script.answers(409, "", "Retry-After", "3")
                .answers(503, "", "retry-after", "Thu, 01 Jan 2026 00:00:10 GMT")
                .answers(201, "");

        run();
        assertThat(timer.waited).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(7));
    }

    @Test
    void givesUpRatherThanWaitBeyondTheDeadline() {
        script.answers(503, "", "Retry-After", "60");

        assertThat(failure(MaybeAppliedException.class))
                .hasMessageContaining("would have to wait for PT1M")
                .hasMessageContaining("same key");
        assertThat(timer.waited).isEmpty();
    }

    @Test
    void givesUpAfterTheLastAttempt() {
        script.fails(new IOException("1"))
                .fails(new IOException("2"))
                .answers(502, "")
                .answers(504, "");

        MaybeAppliedException unknown = failure(MaybeAppliedException.class);
        assertThat(unknown.attempts()).extracting(RequestAttempt::status).containsExactly(0, 0, 502, 504);
        assertThat(unknown.lastStatus()).hasValue(504);
        assertThat(unknown.key()).isEqualTo("k");
        assertThat(unknown).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void saysThatNothingWasAppliedWhenNoRequestWasSentOrEachWasRefused() {
        script.fails(new ConnectException("refused"))
                .answers(429, problem("not-applied", "same-key"))
                .answers(425, "")
                .fails(new IOException("wrapped", new ConnectException("refused")));

        assertThat(failure(NotAppliedException.class).attempts()).hasSize(4);
    }

    @Test
    void aThrottledAnswerMayComeAfterTheEffect() {
        script.answers(429, "")
                .fails(new ConnectException("refused"))
                .fails(new ConnectException("refused"))
                .fails(new ConnectException("refused"));

        failure(MaybeAppliedException.class);
    }

    @Test
    void doesNotForgetThatAnEarlierAttemptMayHaveBeenApplied() {
        script.fails(new IOException("reset"))
                .fails(new ConnectException("refused"))
                .answers(429, "")
                .answers(429, "");

        failure(MaybeAppliedException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void aRefusalLeavesEarlierAttemptsInDoubt(int status) {
        script.fails(new IOException("reset")).answers(status, "");

        assertThat(failure(MaybeAppliedException.class)).hasMessageContaining("status " + status);
    }

    @Test
    void stopsRetryingBeforeTheServerForgetsTheKey() {
        policy = RetryPolicy.builder()
                .maxAttempts(100)
                .attemptTimeout(Duration.ofSeconds(10))
                .deadline(Duration.ofHours(10))
                .delays(Duration.ofMinutes(10), Duration.ofMinutes(10))
                .build();
        script.answers(
                500,
                problem("pending", "same-key"),
                "Date",
                "Thu, 01 Jan 2015 00:00:00 GMT",
                "Idempotency-Expires",
                "Thu, 01 Jan 2015 00:25:00 GMT");
        for (int i = 0; i < 50; i++) {
            script.answers(503, "");
        }

        assertThat(failure(MaybeAppliedException.class)).hasMessageContaining("2026-01-01T00:25:00Z");
        assertThat(script.asked).hasSize(3);
    }

    @Test
    void stopsRetryingBeforeTheRetentionThatIsConfiguredHasPassed() {
        policy = RetryPolicy.builder()
                .maxAttempts(100)
                .deadline(Duration.ofHours(10))
                .delays(Duration.ofMinutes(10), Duration.ofMinutes(10))
                .keyRetention(Duration.ofMinutes(45))
                .build();
        script.answers(429, "");
        for (int i = 0; i < 50; i++) {
            script.answers(503, "");
        }

        assertThat(failure(MaybeAppliedException.class)).hasMessageContaining("could apply it twice");
        assertThat(script.asked).hasSize(5);
    }

    @Test
    void whatWasNeverAppliedIsSentHoweverOldItsKeyIs() {
        policy = RetryPolicy.builder()
                .maxAttempts(100)
                .deadline(Duration.ofHours(10))
                .delays(Duration.ofMinutes(10), Duration.ofMinutes(10))
                .keyRetention(Duration.ofMinutes(15))
                .build();
        String throttled = problem("not-applied", "same-key");
        script.answers(429, throttled)
                .answers(429, throttled)
                .answers(429, throttled)
                .answers(201, "made");

        assertThat(run().answer().response()).isEqualTo("made");
    }

    @Test
    void asksAStatusResourceAgainThatHasNoLocationForItself() {
        String pending = problem("pending", "same-key");
        script.answers(202, pending, "Location", "/operations/7")
                .answers(202, pending)
                .answers(503, problem("unknown", "same-key"))
                .answers(201, "made", "X-Idempotency-Replayed", "true");

        run();
        assertThat(script.asked).filteredOn(asked -> asked.startsWith("ask ")).hasSize(3);
    }

    @Test
    void asksTheStatusResourceUntilItHasTheOutcome() {
        String pending = problem("pending", "same-key");
        script.answers(202, pending, "Location", "/operations/7", "Retry-After", "2")
                .answers(202, pending, "Location", "/operations/7", "Retry-After", "1")
                .fails(new IOException("reset"))
                .answers(201, "made", "X-Idempotency-Replayed", "true");

        assertThat(run().answer().response()).isEqualTo("made");
        String ask = "ask http://api.example/operations/7";
        assertThat(script.asked).containsExactly("send", ask, ask, ask);
        assertThat(timer.waited).startsWith(Duration.ofSeconds(2), Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "Thu, 01 Jan 2015 00:00:00 GMT"})
    void asksTheStatusResourceNoFasterThanThePolicySays(String retryAfter) {
        timer.random = 0;
        for (int i = 0; i < 600; i++) {
            script.answers(202, problem("pending", "same-key"), "Location", "/operations/7", "Retry-After", retryAfter);
        }

        assertThat(failure(MaybeAppliedException.class)).hasMessageContaining("after the deadline");
        assertThat(timer.waited).hasSize(599).containsOnly(Duration.ofMillis(100));
    }

    @Test
    void canAskTheStatusResourceForHoursInTheCallingThread() throws InterruptedException {
        policy = RetryPolicy.builder()
                .delays(Duration.ofNanos(1), Duration.ofNanos(1))
                .deadline(Duration.ofHours(1))
                .build();
        for (int i = 0; i < 20_000; i++) {
            script.answers(202, problem("pending", "same-key"), "Location", "/operations/7");
        }
        script.answers(201, "made", "Idempotent-Replayed", "true");

        RetryLoop.Result<String> result = RetryLoop.runHere("POST", API, "k", policy, script);
        assertThat(result.answer().response()).isEqualTo("made");
    }

    @Test
    void sendsAgainWhenTheStatusResourceDoesNotKnowTheOperation() {
        script.answers(202, problem("pending", "same-key"), "Location", "/operations/7")
                .answers(404, problem("unknown", "never"))
                .answers(201, "made");

        run();
        assertThat(script.asked).containsExactly("send", "ask http://api.example/operations/7", "send");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://elsewhere.example/7", "https://api.example/7", "http://api.example:81/7", ":"})
    void doesNotTakeCredentialsToAnotherServer(String location) {
        script.answers(202, problem("pending", "same-key"), "Location", location)
                .answers(201, "made");

        run();
        assertThat(script.asked).containsExactly("send", "send");
    }

    @Test
    void takesA202OfTheApplicationsOwnForTheAnswer() {
        script.answers(202, "{\"job\":\"7\"}", "Location", "/jobs/7");

        assertThat(run().answer().status()).isEqualTo(202);
    }

    @Test
    void passesOnAFailureThatIsNoMatterOfTheNetwork() {
        script.fails(new IllegalStateException("a bug"));

        assertThatThrownBy(this::run).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void cancelsTheAttemptThatIsUnderWay() {
        CompletableFuture<ServerAnswer<String>> never = new CompletableFuture<>();
        script.answers.add(never);

        RetryLoop.run("POST", API, "k", policy, RetryLoop.MARKERS, script, timer, new SendHistory())
                .cancel(true);
        assertThat(never).isCancelled();
    }
}
