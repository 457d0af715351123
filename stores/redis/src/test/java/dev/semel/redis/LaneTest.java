package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.redis.Lane.Reply;
import dev.semel.store.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LaneTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Lane.Limits LIMITS = new Lane.Limits(10, 100, 3, 50, TIMEOUT);

    private final List<List<String>> sent = new ArrayList<>();
    private final List<CompletableFuture<List<Reply>>> answers = new ArrayList<>();
    private final List<CompletableFuture<Long>> probes = new ArrayList<>();
    private boolean connected = true;
    private int replaced;
    private final Lane<String> lane = new Lane<>(
            "test", LIMITS, new Lane.Transport<>(this::send, () -> connected, silent -> replaced++, this::probe));

    private CompletionStage<List<Reply>> send(List<String> calls) {
        sent.add(calls);
        answers.add(new CompletableFuture<>());
        return answers.get(answers.size() - 1);
    }

    private CompletionStage<Long> probe() {
        probes.add(new CompletableFuture<>());
        return probes.get(probes.size() - 1);
    }

    @Test
    void sendsTogetherWhatCameWhileABatchWasUnderWay() {
        List<CompletableFuture<Reply>> calls = add("a", "b", "c", "d", "e");
        answer(0);
        answer(1);
        assertThat(sent).containsExactly(List.of("a"), List.of("b", "c", "d"), List.of("e"));
        assertThat(calls.subList(0, 4)).allMatch(CompletableFuture::isDone);
        assertThat(calls.get(4)).isNotDone();
    }

    @Test
    void takesOutOfTheQueueWhatIsGivenUp() {
        List<CompletableFuture<Reply>> calls = add("a", "b", "c");
        calls.get(0).cancel(true);
        calls.get(1).cancel(true);
        assertThat(failure(calls.get(1)).isNotSent()).isTrue();
        assertThat(calls.get(0)).isCancelled();
        assertThat(lane.waiting()).isEqualTo(1);
        answer(0);
        assertThat(sent).containsExactly(List.of("a"), List.of("c"));
    }

    @Test
    void refusesWhatIsBeyondItsLimits() {
        add("a", "b", "c", "d", "e", "f");
        assertThat(failure(lane.add("claim", 1, true)).isNotSent()).isTrue();
        assertThat(lane.add("settle", 1, false)).isNotDone();
        assertThat(failure(lane.add("large", 100, false)).isNotSent()).isTrue();
        add("g", "h", "i", "j");
        assertThat(failure(lane.add("settle", 1, false)).isNotSent()).isTrue();
        assertThat(lane.waiting()).isEqualTo(10);
    }

    @Test
    void takesACallThatIsLargerThanItsLimitAlone() {
        assertThat(lane.add("large", 1000, false)).isNotDone();
        assertThat(lane.add("larger", 1000, false)).isNotDone();
        assertThat(failure(lane.add("small", 1, false)).isNotSent()).isTrue();
    }

    @Test
    void sendsNothingButAProbeToARedisThatIsSilent() {
        List<CompletableFuture<Reply>> calls = add("a", "b");
        answers.get(0).completeExceptionally(new RedisException("Connection disconnected"));
        assertThat(failure(calls.get(0)).isNotSent()).isFalse();
        assertThat(sent).hasSize(1);

        tick(Duration.ZERO);
        tick(Duration.ofSeconds(1));
        assertThat(probes).hasSize(1);
        probes.get(0).completeExceptionally(new RedisException("not connected"));
        tick(Duration.ofSeconds(1));
        assertThat(probes).hasSize(2);
        assertThat(sent).hasSize(1);

        probes.get(1).complete(1L);
        assertThat(sent).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void asksForAnotherConnectionWhenAProbeGetsNoAnswer() {
        add("a");
        answers.get(0).completeExceptionally(new RedisCommandTimeoutException("no answer"));
        tick(Duration.ZERO);
        probes.get(0).completeExceptionally(new RedisException("not connected"));
        assertThat(replaced).isZero();
        tick(Duration.ofSeconds(1));
        probes.get(1).completeExceptionally(new RedisCommandTimeoutException("no answer"));
        assertThat(replaced).isEqualTo(1);
    }

    @Test
    void keepsWhatComesWhileThereIsNoConnection() {
        connected = false;
        CompletableFuture<Reply> call = add("a").get(0);
        tick(Duration.ZERO);
        assertThat(sent).isEmpty();
        connected = true;
        probes.get(0).complete(1L);
        answer(0);
        assertThat(call).isCompleted();
    }

    @Test
    void goesOnAfterABatchThatIsNeverAnswered() {
        List<CompletableFuture<Reply>> calls = add("a");
        tick(TIMEOUT.plusMillis(1));
        assertThat(failure(calls.get(0)).isNotSent()).isFalse();
        CompletableFuture<Reply> next = add("b").get(0);
        assertThat(probes).hasSize(1);
        tick(TIMEOUT.multipliedBy(3));
        assertThat(probes)
                .as("a probe that is never answered is not waited for either")
                .hasSize(2);
        assertThat(failure(next).isNotSent()).as("it waited for too long").isTrue();

        CompletableFuture<Reply> last = add("c").get(0);
        probes.get(0).complete(1L);
        answer(1);
        assertThat(last).isCompleted();
        assertThat(sent).containsExactly(List.of("a"), List.of("c"));
    }

    @Test
    void goesOnAfterAnErrorThatIsAnAnswer() {
        List<CompletableFuture<Reply>> calls = add("a", "b");
        answers.get(0).completeExceptionally(new RedisCommandExecutionException("LOADING"));
        assertThat(calls.get(0)).isCompletedExceptionally();
        assertThat(sent).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void failsWhatWaitsWhenItIsClosed() {
        List<CompletableFuture<Reply>> calls = add("a", "b");
        lane.close();
        assertThat(failure(calls.get(0)).isNotSent()).isFalse();
        assertThat(failure(calls.get(1)).isNotSent()).isTrue();
        assertThat(failure(add("c").get(0)).isNotSent()).isTrue();
    }

    private List<CompletableFuture<Reply>> add(String... calls) {
        List<CompletableFuture<Reply>> added = new ArrayList<>();
        for (String call : calls) {
            added.add(lane.add(call, 1, false));
        }
        return added;
    }

    private void answer(int batch) {
        answers.get(batch)
                .complete(sent.get(batch).stream().map(call -> new Reply(1L, 0)).toList());
    }

    private void tick(Duration later) {
        lane.tick(System.nanoTime() + later.toNanos());
    }

    private static StoreUnavailableException failure(CompletableFuture<?> call) {
        try {
            call.join();
            throw new AssertionError("it was answered");
        } catch (CompletionException e) {
            return (StoreUnavailableException) Failures.wrap(e);
        }
    }
}
