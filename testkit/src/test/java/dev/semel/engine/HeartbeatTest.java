package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Execution;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Renewal;
import dev.semel.store.StoreUnavailableException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The heartbeat keeps the leases of operations that run, however long they take, and of no others. */
class HeartbeatTest extends EngineFixture {

    private static final ExternalPolicy POLICY =
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
            executions.add(semel.operation(POLICY, OutcomeCodec.text())
                    .runAsync(key, BODY, attempt -> running)
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

    /** If a store cannot read one row, it answers none of the renewals that were sent together with it. */
    @Test
    void aLeaseWhoseRenewalFailsIsNoBurdenToTheOthers() {
        Key failing = Key.of("merchant", "failing");
        Semel semel = engine(
                (KeyStore) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {KeyStore.class}, (proxy, method, arguments) -> {
                            if (method.getName().equals("renew")
                                    && ((Collection<?>) arguments[0])
                                            .stream()
                                                    .anyMatch(each -> ((Renewal) each)
                                                            .lease()
                                                            .digest()
                                                            .equals(failing.digest()))) {
                                return CompletableFuture.failedFuture(
                                        new StoreUnavailableException("the row is held", null));
                            }
                            return method.invoke(store, arguments);
                        }),
                builder -> {});
        CompletableFuture<String> running = new CompletableFuture<>();
        List<Key> others =
                List.of(Key.of("merchant", "order-1"), Key.of("merchant", "order-2"), Key.of("merchant", "order-3"));
        semel.operation(POLICY, OutcomeCodec.text()).runAsync(failing, BODY, attempt -> running);
        others.forEach(key -> semel.operation(POLICY, OutcomeCodec.text()).runAsync(key, BODY, attempt -> running));

        for (int beat = 0; beat < 3; beat++) {
            clock.advance(Duration.ofMillis(200));
            Awaitility.await()
                    .until(() -> others.stream()
                            .allMatch(key -> record(key)
                                    .leaseUntil()
                                    .equals(clock.instant().plus(POLICY.lease()))));
        }
        running.complete("done");
    }

    @Test
    void stopsWhenTheOperationHasEnded() {
        Semel semel = engine();
        semel.operation(POLICY, OutcomeCodec.text()).run(KEY, BODY, attempt -> charge());
        var leaseUntil = record(KEY).leaseUntil();

        CompletableFuture<String> other = new CompletableFuture<>();
        Key otherKey = Key.of("merchant", "order-2");
        semel.operation(POLICY, OutcomeCodec.text()).runAsync(otherKey, BODY, attempt -> other);
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
        semel.operation(POLICY, OutcomeCodec.text()).runAsync(KEY, BODY, attempt -> {
            CompletableFuture.runAsync(() -> {
                Awaitility.await().until(attempt::isLeaseLost);
                lost.complete(true);
            });
            return running;
        });
        Awaitility.await().until(() -> !isAbsent());
        clock.advance(POLICY.lease());

        // A resolution of a lapsed key takes it from its owner.
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
        assertThat(events(dev.semel.observe.SemelEvent.FencedOff.class))
                .anySatisfy(fenced -> assertThat(fenced.write()).isEqualTo("renew"));
        running.complete("too late");
    }
}
