package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.client.RawServer.Request;
import dev.semel.client.RawServer.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** After an answer was lost, only a replay or a definite answer ends an operation; until then its journal keeps it. */
class LostAnswersTest {

    private static final String UNKNOWN = "{\"outcome\":\"unknown\",\"retry\":\"never\"}";
    private static final Response LOST = Response.of(201, "made").cutAt(0);
    private static final Response PENDING =
            Response.of(202, "{\"outcome\":\"pending\",\"retry\":\"same-key\"}", "Location", "/operations/7");
    private static final Response REPLAY = Response.of(201, "made", "Idempotent-Replayed", "true");

    @TempDir
    private Path directory;

    private final AtomicInteger turn = new AtomicInteger();
    private KeyJournal journal;
    private RawServer server;

    @BeforeEach
    void open() {
        journal = KeyJournal.open(directory.resolve("j"));
    }

    @AfterEach
    void stop() throws IOException {
        journal.close();
        server.close();
    }

    private void serve(Response... responses) throws IOException {
        server = new RawServer(request -> responses[Math.min(turn.getAndIncrement(), responses.length - 1)]);
    }

    private IdempotentHttpClient client() {
        return IdempotentHttpClient.builder()
                .journal(journal)
                .retries(RetryPolicy.builder()
                        .maxAttempts(3)
                        .delays(Duration.ofMillis(1), Duration.ofMillis(5))
                        .build())
                .build();
    }

    private HttpOperation charge() {
        return HttpOperation.post(server.uri("/charges"))
                .json("{}")
                .key("order-1")
                .build();
    }

    private void assertUnknownAndKept() {
        assertThatThrownBy(() -> client().send(charge())).isInstanceOf(MaybeAppliedException.class);
        assertThat(journal.unfinished()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 400, 402, 404, 410, 415, 422, 500, 501})
    void anAnswerThatIsNoReplayDoesNotEndAnOperationThatMayHaveBeenApplied(int status) throws Exception {
        serve(LOST, Response.of(status, "", "Location", "/elsewhere"));

        assertUnknownAndKept();
    }

    @ParameterizedTest
    @CsvSource({"410,unknown,never", "422,unknown,new-key", "400,not-applied,new-key", "500,unknown,never"})
    void aProblemThatDoesNotKnowTheOutcomeDoesNotEndIt(int status, String outcome, String retry) throws Exception {
        serve(LOST, Response.of(status, "{\"outcome\":\"" + outcome + "\",\"retry\":\"" + retry + "\"}"));

        assertUnknownAndKept();
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 410, 500, 503})
    void aServerThatSaysItDoesNotKnowTheOutcomeIsBelievedAtOnce(int status) throws Exception {
        serve(Response.of(status, UNKNOWN));

        assertUnknownAndKept();
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void aPlainServerErrorDoesNotEndItUntilItIsReplayed() throws Exception {
        serve(Response.of(500, "oops"));
        assertUnknownAndKept();

        server.close();
        turn.set(0);
        serve(Response.of(500, "oops"), Response.of(500, "oops", "Idempotent-Replayed", "true"));
        assertThat(client().send(HttpOperation.post(server.uri("/charges"))
                                .key("order-2")
                                .json("{}")
                                .build())
                        .text())
                .isEqualTo("oops");
        assertThat(journal.unfinished()).extracting(UnfinishedOperation::key).containsExactly("order-1");
    }

    @Test
    void aRefusalAfterALostRequestIsAskedForAgainUntilItIsAReplay() throws Exception {
        serve(LOST, Response.of(402, "declined"), Response.of(402, "declined", "Idempotent-Replayed", "true"));

        OperationResult result = client().send(charge());
        assertThat(result.status()).isEqualTo(402);
        assertThat(result.replayed()).isTrue();
        assertThat(journal.unfinished()).isEmpty();
    }

    @Test
    void anOutcomeThatTheServerCallsAppliedEndsIt() throws Exception {
        serve(LOST, Response.of(410, "{\"outcome\":\"applied\",\"retry\":\"never\"}"));

        assertThat(client().send(charge()).status()).isEqualTo(410);
        assertThat(journal.unfinished()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 302, 401, 404, 410, 500})
    void anAnswerOfTheStatusResourceThatIsNoReplayIsNotTheOperations(int status) throws Exception {
        serve(PENDING, Response.of(status, "", "Location", "/login"), REPLAY);

        assertThat(client().send(charge()).text()).isEqualTo("made");
        assertThat(server.requests)
                .extracting(request -> request.method() + request.path())
                .containsExactly("POST/charges", "GET/operations/7", "POST/charges");
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 404, 500})
    void aStatusResourceThatNeverKnowsLeavesTheOutcomeUnknown(int status) throws Exception {
        server = new RawServer(
                request -> request.method().equals("GET") ? Response.of(status, "", "Location", "/login") : PENDING);

        assertUnknownAndKept();
    }

    @Test
    void anOperationThatWasAnsweredIsNotCalledNotAppliedLater() throws Exception {
        serve(Response.of(201, "made"));
        HttpOperation operation = charge();
        client().send(operation);
        server.close();

        assertThatThrownBy(() -> client().send(operation)).isInstanceOf(MaybeAppliedException.class);
    }

    /** A server that holds the first request until told, and refuses all others. */
    private CountDownLatch holdTheFirst(Response refusal) throws IOException {
        CountDownLatch answer = new CountDownLatch(1);
        server = new RawServer((Request request) -> {
            if (turn.getAndIncrement() == 0) {
                answer.await();
                return LOST;
            }
            return refusal;
        });
        return answer;
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 429})
    void aSendThatIsRefusedDoesNotForgetAnotherOfTheSameKeyThatIsUnderWay(int status) throws Exception {
        CountDownLatch answer = holdTheFirst(Response.of(status, "", "Retry-After", "0"));
        CompletableFuture<OperationResult> first = client().sendAsync(charge());
        await().until(() -> server.requests.size() == 1);

        assertThatThrownBy(() -> client().send(charge())).isInstanceOf(MaybeAppliedException.class);
        journal.close();
        journal = KeyJournal.open(directory.resolve("j"));
        assertThat(journal.unfinished()).extracting(UnfinishedOperation::key).containsExactly("order-1");
        answer.countDown();
        assertThat(first).failsWithin(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 429})
    void theFirstOfTwoSendsDoesNotForgetTheSecond(int status) throws Exception {
        CountDownLatch refuse = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        server = new RawServer((Request request) -> {
            (turn.getAndIncrement() == 0 ? refuse : never).await();
            return Response.of(status, "", "Retry-After", "1000");
        });
        CompletableFuture<OperationResult> first = client().sendAsync(charge());
        await().until(() -> server.requests.size() == 1);
        CompletableFuture<OperationResult> second = client().sendAsync(charge());
        await().until(() -> server.requests.size() == 2);

        refuse.countDown();
        assertThat(first)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withCauseInstanceOf(MaybeAppliedException.class);
        second.cancel(true);
        await().until(() -> journal.unfinished().size() == 1);
    }

    @Test
    void twoSendsOfOneOperationWithoutAJournalKnowOfEachOther() throws Exception {
        CountDownLatch answer = holdTheFirst(Response.of(401, ""));
        IdempotentHttpClient client = IdempotentHttpClient.builder().build();
        HttpOperation operation = charge();
        CompletableFuture<OperationResult> first = client.sendAsync(operation);
        await().until(() -> server.requests.size() == 1);

        assertThatThrownBy(() -> client.send(operation)).isInstanceOf(MaybeAppliedException.class);
        answer.countDown();
        first.cancel(true);
    }

    @Test
    void doesNotResumeAfterTheTimeThatTheServerPublished() throws Exception {
        serve(Response.of(
                201,
                "made",
                "Date",
                "Mon, 05 Jan 2015 10:00:00 GMT",
                "Idempotency-Expires",
                "Mon, 05 Jan 2015 10:30:00 GMT"));
        assertThatThrownBy(() -> client().send(charge(), result -> {
                    throw new IllegalStateException("the database is down");
                }))
                .hasMessage("the database is down");
        journal.close();
        journal = KeyJournal.open(directory.resolve("j"));
        HttpOperation resumed = journal.unfinished().get(0).resume(Map.of());

        FakeTimer timer = new FakeTimer();
        Duration sinceTheTimersStart = Duration.between(timer.now(), java.time.Instant.now());
        timer.pass(sinceTheTimersStart.plus(Duration.ofMinutes(31)));
        IdempotentHttpClient later =
                IdempotentHttpClient.builder().journal(journal).timer(timer).build();
        assertThatThrownBy(() -> later.send(resumed))
                .isInstanceOf(MaybeAppliedException.class)
                .hasMessageContaining("may have forgotten its key");
        assertThat(server.requests).hasSize(1);
        assertThat(journal.unfinished()).hasSize(1);

        assertThat(client().send(resumed).text()).as("within the time").isEqualTo("made");
        assertThat(List.copyOf(journal.unfinished())).isEmpty();
    }
}
