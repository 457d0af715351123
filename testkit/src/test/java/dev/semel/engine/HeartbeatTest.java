package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Call;
import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Policy;
import dev.semel.Semel;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The heartbeat keeps the leases of operations that run, however long they take, and of no others. */
class HeartbeatTest extends EngineFixture {

    private static final Policy POLICY =
            Policy.external("charge").lease(Duration.ofMillis(300)).build();

    private KeyRecord record(Key key) {
        return store.find(key.digest()).toCompletableFuture().join().orElseThrow();
    }

    @Test
    void renewsEveryRunningOperationAgainAndAgain() {
        Semel semel = engine();
        CompletableFuture<String> running = new CompletableFuture<>();
        List<Key> keys = new ArrayList<>();
        List<CompletableFuture<Execution<String>>> executions = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Key key = Key.of("merchant", "order-" + i);
            keys.add(key);
            executions.add(semel.executeAsync(Call.of(key, BODY, POLICY, OutcomeCodec.text()), attempt -> running)
                    .toCompletableFuture());
        }
        for (int beat = 0; beat < 3; beat++) {
            clock.advance(Duration.ofMillis(200));
            Awaitility.await()
                    .until(() -> keys.stream()
                            .allMatch(key -> record(key)
                                    .leaseUntil()
                                    .equals(clock.instant().plus(POLICY.lease()))));
        }

        assertThat(keys).allSatisfy(key -> assertThat(record(key).state()).isEqualTo(KeyState.PENDING));
        running.complete("done");
        assertThat(executions)
                .allSatisfy(execution -> assertThat(execution.join()).isInstanceOf(Execution.Executed.class));
    }

    @Test
    void stopsWhenTheOperationHasEnded() {
        Semel semel = engine();
        semel.execute(call(POLICY), attempt -> charge());
        var leaseUntil = record(KEY).leaseUntil();

        CompletableFuture<String> other = new CompletableFuture<>();
        Key otherKey = Key.of("merchant", "order-2");
        semel.executeAsync(Call.of(otherKey, BODY, POLICY, OutcomeCodec.text()), attempt -> other);
        clock.advance(Duration.ofMillis(200));
        Awaitility.await()
                .until(() ->
                        record(otherKey).leaseUntil().equals(clock.instant().plus(POLICY.lease())));

        assertThat(record(KEY).leaseUntil()).isEqualTo(leaseUntil);
        other.complete("done");
    }

    @Test
    void noticesThatTheLeaseIsLostWhileTheOperationRuns() {
        Semel semel = engine();
        CompletableFuture<String> running = new CompletableFuture<>();
        CompletableFuture<Boolean> lost = new CompletableFuture<>();
        semel.executeAsync(call(POLICY), attempt -> {
            CompletableFuture.runAsync(() -> {
                Awaitility.await().until(attempt::isLeaseLost);
                lost.complete(true);
            });
            return running;
        });
        Awaitility.await().until(() -> !isAbsent());
        clock.advance(POLICY.lease());

        // Whoever decides over a lapsed key takes it from its owner.
        Awaitility.await().until(() -> {
            clock.advance(POLICY.lease());
            return store.resolve(
                            KEY.digest(),
                            record(KEY).token(),
                            new dev.semel.spi.Resolution.Settle(
                                    dev.semel.Outcome.failed().build()),
                            "operator")
                    .toCompletableFuture()
                    .join();
        });

        assertThat(lost.orTimeout(30, java.util.concurrent.TimeUnit.SECONDS).join())
                .isTrue();
        assertThat(events(dev.semel.SemelEvent.FencedOff.class))
                .anySatisfy(fenced -> assertThat(fenced.write()).isEqualTo("renew"));
        running.complete("too late");
    }
}
