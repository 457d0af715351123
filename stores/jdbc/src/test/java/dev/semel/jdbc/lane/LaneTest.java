package dev.semel.jdbc.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.KeyDigest;
import dev.semel.jdbc.dialect.StoreConnections;
import dev.semel.jdbc.postgres.PostgresDialect;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lane on a database that exists only in this test. Requests are numbers, and a tenth of them is their key. */
@Timeout(60)
class LaneTest {

    private static final LaneLimits LIMITS =
            new LaneLimits(100, 10, 1_000, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final List<List<Integer>> batches = Collections.synchronizedList(new ArrayList<>());
    private final Set<Integer> held = ConcurrentHashMap.newKeySet();
    private final Set<Integer> lookedFor = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<SQLException> unheldFailures = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<SQLException> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean elusive;
    private volatile int poison = -1;
    private volatile boolean blind;
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<Thread> senders = Collections.synchronizedList(new ArrayList<>());
    private final Workers workers = new Workers();
    private final List<Lane<Integer, String>> lanes = new ArrayList<>();

    @AfterEach
    void close() {
        gate.countDown();
        goOn.countDown();
        for (Lane<Integer, String> lane : lanes) {
            lane.close();
            lane.awaitClosed(Duration.ofSeconds(10));
        }
        workers.end();
    }

    @Test
    void sendsARequestAtOnceWhenNothingIsUnderWay() {
        assertThat(lane(LIMITS).submit(7).join()).isEqualTo("sent 7");
        assertThat(batches).containsExactly(List.of(7));
    }

    @Test
    void sendsTogetherAndSortedWhatArrivedInTheMeantime() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS);
        List<CompletableFuture<String>> answers =
                IntStream.of(50, 30, 40, 20).mapToObj(lane::submit).toList();
        gate.countDown();

        assertThat(answers)
                .extracting(CompletableFuture::join)
                .containsExactly("sent 50", "sent 30", "sent 40", "sent 20");
        assertThat(batches).containsExactly(List.of(0), List.of(20, 30, 40, 50));
    }

    @Test
    void boundsABatchByCountAndByWeight() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            answers.add(lane.submit(i * 10));
        }
        answers.add(lane.submit(5_000));
        answers.add(lane.submit(6_000));
        gate.countDown();
        answers.forEach(CompletableFuture::join);

        assertThat(batches).extracting(List::size).containsExactly(1, 10, 3, 1);
    }

    @Test
    void sendsOneOfSeveralRequestsForAKeyAndAnswersTheOthersFromIt() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS);
        List<CompletableFuture<String>> answers =
                IntStream.of(71, 72, 73).mapToObj(lane::submit).toList();
        gate.countDown();

        assertThat(answers).extracting(CompletableFuture::join).containsExactly("sent 71", "beside 71", "sent 73");
        assertThat(batches).containsExactly(List.of(0), List.of(71), List.of(73));
    }

    @Test
    void aRefusedRequestFailsAlone() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS);
        poison = 30;
        List<CompletableFuture<String>> answers =
                IntStream.of(20, 30, 40).mapToObj(lane::submit).toList();
        gate.countDown();

        assertThat(answers.get(0).join()).isEqualTo("sent 20");
        assertThat(answers.get(2).join()).isEqualTo("sent 40");
        assertThatThrownBy(answers.get(1)::join)
                .hasCauseExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("refused")
                .hasMessageContaining("poisoned");
    }

    @Test
    void aHeldKeyDoesNotDelayItsNeighbours() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS);
        held.add(20);
        List<CompletableFuture<String>> answers =
                IntStream.of(10, 20, 30).mapToObj(lane::submit).toList();
        gate.countDown();

        assertThat(answers.get(0).join()).isEqualTo("sent 10");
        assertThat(answers.get(2).join()).isEqualTo("sent 30");
        assertThat(lane.submit(40).join()).isEqualTo("sent 40");
        assertThat(answers.get(1)).isNotDone();
        held.clear();
        assertThat(answers.get(1).join()).isEqualTo("sent 20");
    }

    @Test
    void aRequestForAKeyThatIsKnownToBeHeldIsNotSentWithOthers() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS);
        held.add(20);
        CompletableFuture<String> first = lane.submit(20);
        gate.countDown();
        Awaitility.await().until(() -> lookedFor.contains(20));

        CompletableFuture<String> second = lane.submit(20);
        assertThat(lane.submit(30).join()).isEqualTo("sent 30");
        assertThat(batches).containsExactly(List.of(0), List.of(20), List.of(30));
        held.clear();
        assertThat(first.join()).isEqualTo("sent 20");
        assertThat(second.join()).isEqualTo("beside 20");
    }

    @Test
    void aKeyThatIsHeldForLongIsAnsweredWithoutTheDatabase() {
        held.add(7);

        assertThat(lane(LIMITS).submit(7).join()).isEqualTo("held 7");
    }

    @Test
    void aRequestWhoseAnswerWasLostIsNotAnsweredFromItsOwnHeldRow() {
        held.add(7);
        failures.add(new SQLException("broken pipe", "08006"));
        Lane<Integer, String> lane = lane(LIMITS.withGiveUpAfter(Duration.ofSeconds(2)));
        CompletableFuture<String> answer = lane.submit(7);

        Awaitility.await().until(() -> {
            lane.expire(System.nanoTime());
            return answer.isDone();
        });

        assertThatThrownBy(answer::join).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void goesOnWhenNotEvenALookIsPossible() {
        failures.add(new SQLException("lock timeout", "55P03"));
        unheldFailures.add(new SQLException("lock timeout", "55P03"));
        unheldFailures.add(new SQLException("lock timeout", "55P03"));
        Lane<Integer, String> lane = lane(LIMITS);

        assertThat(lane.submit(7).join()).isEqualTo("sent 7");
        assertThat(lane.submit(8).join()).isEqualTo("sent 8");
    }

    @Test
    void aHeldRequestFailsAloneWhenItIsRefused() {
        held.add(7);
        blind = true;
        Lane<Integer, String> lane = lane(LIMITS);

        assertThatThrownBy(lane.submit(7)::join)
                .hasCauseExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("cannot look");
        assertThat(lane.submit(8).join()).isEqualTo("sent 8");
    }

    @Test
    void closingWaitsForHeldRequests() throws Exception {
        held.add(20);
        Lane<Integer, String> lane = lane(LIMITS);
        CompletableFuture<String> answer = lane.submit(20);
        Awaitility.await().until(() -> lookedFor.contains(20));
        lane.close();
        held.clear();
        lane.awaitClosed(Duration.ofSeconds(10));

        assertThat(answer.join()).isEqualTo("sent 20");
    }

    @Test
    void sendsABatchAgainWhoseConnectionBroke() {
        failures.add(new SQLException("broken pipe", "08006"));
        failures.add(new SQLException("deadlock detected", "40P01"));

        assertThat(lane(LIMITS).submit(7).join()).isEqualTo("sent 7");
        assertThat(batches).containsExactly(List.of(7), List.of(7), List.of(7));
    }

    @Test
    void givesUpAfterAWhile() {
        IntStream.range(0, 10_000).forEach(i -> failures.add(new SQLException("broken pipe", "08006")));

        CompletableFuture<String> answer =
                lane(LIMITS.withGiveUpAfter(Duration.ofMillis(50))).submit(7);

        assertThatThrownBy(answer::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("PT0.05S")
                .hasMessageContaining("broken pipe");
    }

    @Test
    void tellsCallersInTimeEvenWhenTheWorkerHangs() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS.withGiveUpAfter(Duration.ofMillis(50)));
        CompletableFuture<String> waiting = lane.submit(7);

        Awaitility.await().until(() -> {
            lane.expire(System.nanoTime());
            return waiting.isDone();
        });

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void refusesRequestsWhenTheQueueIsFull() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS.withQueue(3));
        List<CompletableFuture<String>> accepted =
                IntStream.of(10, 20, 30).mapToObj(lane::submit).toList();

        assertThatThrownBy(lane.submit(40)::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("queue is full")
                .hasMessageContaining("3 requests");
        gate.countDown();
        assertThat(accepted).allMatch(answer -> answer.join().startsWith("sent"));
    }

    @Test
    void doesNotSendWhatWasCancelledBefore() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS);
        CompletableFuture<String> cancelled = lane.submit(20);
        cancelled.cancel(false);
        CompletableFuture<String> other = lane.submit(30);
        gate.countDown();

        assertThat(other.join()).isEqualTo("sent 30");
        assertThat(batches).containsExactly(List.of(0), List.of(30));
        assertThatThrownBy(cancelled::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .satisfies(failure -> assertThat(((StoreUnavailableException) failure.getCause()).isNotSent())
                        .isTrue());
    }

    @Test
    void whatIsCancelledLeavesItsPlaceInTheQueueToOthers() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS.withQueue(3));
        List<CompletableFuture<String>> given =
                IntStream.of(10, 20, 30).mapToObj(lane::submit).toList();
        given.forEach(answer -> answer.cancel(false));
        List<CompletableFuture<String>> accepted =
                IntStream.of(40, 50, 60).mapToObj(lane::submit).toList();
        gate.countDown();

        assertThat(accepted).allMatch(answer -> answer.join().startsWith("sent"));
    }

    @Test
    void whatWasSentBeforeItIsCancelledMayHaveTakenEffect() throws Exception {
        Lane<Integer, String> lane = lane(LIMITS);
        gate = new CountDownLatch(1);
        CompletableFuture<String> cancelled = lane.submit(20);
        assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();
        cancelled.cancel(false);
        gate.countDown();

        assertThat(lane.submit(30).join()).isEqualTo("sent 30");
        assertThat(cancelled).isCancelled();
    }

    @Test
    void aRequestThatIsNeverAnsweredIsAnsweredWithoutTheDatabase() {
        elusive = true;

        assertThat(lane(LIMITS).submit(7).join()).isEqualTo("held 7");
    }

    @Test
    void closingSendsWhatWasSubmittedBefore() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS);
        CompletableFuture<String> before = lane.submit(20);
        lane.close();
        CompletableFuture<String> after = lane.submit(30);
        gate.countDown();
        lane.awaitClosed(Duration.ofSeconds(10));

        assertThat(before.join()).isEqualTo("sent 20");
        assertThatThrownBy(after::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void oneThreadSendsWhatFollowsFromItsOwnAnswer() {
        Lane<Integer, String> claims = lane(LIMITS);
        Lane<Integer, String> settles = lane(LIMITS);

        assertThat(claims.submit(10).thenCompose(answer -> settles.submit(20)).join())
                .isEqualTo("sent 20");
        assertThat(new HashSet<>(senders)).hasSize(1);
    }

    @Test
    void whatFollowsFromAnAnswerDoesNotWaitForABusyLane() throws Exception {
        Lane<Integer, String> claims = busyLane(LIMITS);
        Lane<Integer, String> settles = lane(LIMITS);
        CompletableFuture<String> settled = claims.submit(10).thenCompose(answer -> {
            gate = new CountDownLatch(1);
            claims.submit(30);
            return settles.submit(20);
        });
        CountDownLatch first = gate;
        reached = new CountDownLatch(3);
        first.countDown();

        assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();
        gate.countDown();
        assertThat(settled.join()).isEqualTo("sent 20");
    }

    @Test
    void aCallbackThatWaitsForAnotherLaneIsHelpedOut() {
        Lane<Integer, String> claims = lane(LIMITS);
        Lane<Integer, String> settles = lane(LIMITS);
        CompletableFuture<String> settled =
                claims.submit(10).thenApply(answer -> settles.submit(20).join());

        while (!settled.isDone()) {
            settles.expire(System.nanoTime());
            Thread.onSpinWait();
        }
        assertThat(settled.join()).isEqualTo("sent 20");
    }

    @Test
    void othersAreSentWhileCallbacksRun() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS.withBatch(2));
        CompletableFuture<String> last = new CompletableFuture<>();
        CompletableFuture<String> first = lane.submit(10).thenApply(answer -> last.join());
        lane.submit(20);
        lane.submit(30).thenAccept(last::complete);
        gate.countDown();

        assertThat(first.join()).isEqualTo("sent 30");
    }

    @Test
    void closingWaitsForAnswersUnderWay() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS.withBatch(2));
        CompletableFuture<String> behind = behindASlowCaller(lane);
        lane.close();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> lane.awaitClosed(Duration.ofSeconds(10)));
        goOn.countDown();
        closed.join();

        assertThat(behind.join()).isEqualTo("sent 20");
    }

    @Test
    void tellsCallersInTimeEvenBehindACallbackThatHangs() throws Exception {
        Lane<Integer, String> lane = busyLane(LIMITS.withBatch(2));
        CompletableFuture<String> behind = behindASlowCaller(lane);

        lane.expire(System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
        assertThatThrownBy(behind::join).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    /** The second request of a batch, when the first is being told; the third has been sent by another worker. */
    private CompletableFuture<String> behindASlowCaller(Lane<Integer, String> lane) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        lane.submit(10).thenRun(() -> {
            told.countDown();
            await(goOn);
        });
        CompletableFuture<String> behind = lane.submit(20);
        CompletableFuture<String> last = lane.submit(30);
        gate.countDown();
        assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(last.join()).isEqualTo("sent 30");
        return behind;
    }

    @Test
    void isClosedFromWithinACallback() {
        Lane<Integer, String> claims = lane(LIMITS);
        Lane<Integer, String> settles = lane(LIMITS);

        claims.submit(10)
                .thenRun(() -> {
                    for (Lane<Integer, String> lane : lanes) {
                        lane.close();
                        lane.awaitClosed(Duration.ofSeconds(10));
                    }
                })
                .join();

        assertThatThrownBy(() -> settles.submit(20).join()).hasMessageContaining("closed");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A lane whose worker is busy with the request 0 until the gate opens. */
    private Lane<Integer, String> busyLane(LaneLimits limits) throws InterruptedException {
        gate = new CountDownLatch(1);
        Lane<Integer, String> lane = lane(limits);
        lane.submit(0);
        assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();
        return lane;
    }

    private Lane<Integer, String> lane(LaneLimits limits) {
        Lane<Integer, String> lane = new Lane<>(
                "test",
                new StoreConnections(noDatabase(), limits.statementTimeout()),
                new PostgresDialect(),
                batch(),
                limits,
                workers);
        lanes.add(lane);
        return lane;
    }

    private static DataSource noDatabase() {
        return stub(DataSource.class, stub(Connection.class, null));
    }

    /** Returns the value where it fits, and what means nothing elsewhere. */
    private static <T> T stub(Class<T> type, @Nullable Object value) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getReturnType().isInstance(value)) {
                        return value;
                    }
                    if (method.getReturnType() == boolean.class) {
                        return method.getName().equals("getAutoCommit");
                    }
                    return method.getReturnType() == int.class ? 0 : null;
                }));
    }

    private Batch<Integer, String> batch() {
        return new Batch<>() {
            @Override
            public KeyDigest digest(Integer request) {
                return new KeyDigest(0, request / 10);
            }

            @Override
            public int weight(Integer request) {
                return request >= 1_000 ? 1_000 : 1;
            }

            @Override
            public List<@Nullable String> send(Connection connection, List<Integer> requests) throws SQLException {
                batches.add(List.copyOf(requests));
                senders.add(Thread.currentThread());
                reached.countDown();
                pass();
                SQLException failure = failures.poll();
                if (failure != null) {
                    throw failure;
                }
                if (requests.stream().anyMatch(held::contains)) {
                    throw new SQLException("lock timeout", "55P03");
                }
                if (requests.contains(poison)) {
                    throw new SQLException("poisoned", "22021");
                }
                List<@Nullable String> answers = new ArrayList<>();
                requests.forEach(request -> answers.add(elusive ? null : "sent " + request));
                return answers;
            }

            private void pass() throws SQLException {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new SQLException(e);
                }
            }

            @Override
            public @Nullable String answerBeside(Integer first, String answer, Integer second) {
                return second % 2 == 0 ? "beside " + first : null;
            }

            @Override
            public List<@Nullable String> sendUnheld(Connection connection, List<Integer> requests)
                    throws SQLException {
                if (blind) {
                    throw new IllegalStateException("cannot look");
                }
                SQLException failure = unheldFailures.poll();
                if (failure != null) {
                    throw failure;
                }
                List<@Nullable String> answers = new ArrayList<>();
                for (Integer request : requests) {
                    answers.add(elusive || held.contains(request) ? null : "sent " + request);
                    lookedFor.add(request);
                }
                return answers;
            }

            @Override
            public Duration heldPatience() {
                return Duration.ofMillis(200);
            }

            @Override
            public @Nullable String answerHeld(Integer request, boolean answerLost) {
                return answerLost ? null : "held " + request;
            }
        };
    }
}
