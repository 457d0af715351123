package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Call;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.messaging.Backoff;
import dev.semel.messaging.Handling;
import dev.semel.messaging.MessageGuard;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens in a lane when several records have to wait at once. */
class PartitionLaneTest {

    private static final ExternalPolicy POLICY = Policy.external("ship")
            .recovery(Recovery.RE_EXECUTE)
            .lease(Duration.ofMinutes(1))
            .build();

    private final InMemoryKeyStore store = InMemoryKeyStore.builder().build();
    private volatile CompletableFuture<?> answerToB = CompletableFuture.completedFuture(null);
    private final Semel semel = Semel.builder(slowToClaimB()).build();
    private final Semel elsewhere = Semel.builder(store).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> firstTryOfA = new CompletableFuture<>();
    private final PartitionLane<String, String> lane = new PartitionLane<>(new LaneRules<>(
            MessageGuard.builder(
                            semel,
                            POLICY,
                            Handling.<ConsumerRecord<String, String>>async((record, attempt) -> handle(record)))
                    .executor(threads)
                    .deadLetterUnknown()
                    .build(),
            letter -> CompletableFuture.failedStage(new AssertionError("a dead letter")),
            "ship",
            true,
            8,
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)),
            threads,
            failure -> {
                throw new AssertionError(failure);
            }));

    private KeyStore slowToClaimB() {
        return (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(), InMemoryKeyStore.class.getInterfaces(), (proxy, method, arguments) -> {
                    Object result = method.invoke(store, arguments);
                    return method.getName().equals("claim")
                                    && ((ClaimRequest) arguments[0])
                                            .key()
                                            .value()
                                            .equals("b")
                            ? answerToB.thenCompose(now -> (CompletionStage<?>) result)
                            : result;
                });
    }

    @AfterEach
    void close() {
        lane.close();
        semel.close();
        elsewhere.close();
        threads.shutdownNow();
    }

    private CompletableFuture<Void> handle(ConsumerRecord<String, String> record) {
        if (record.value().equals("a") && !firstTryOfA.isDone()) {
            return firstTryOfA;
        }
        handled.add(record.value());
        return CompletableFuture.completedFuture(null);
    }

    @Test
    void aRecordThatWakesUpWhileTheOnesBeforeItAreRecalledIsHandledInItsTurn() {
        CompletableFuture<Outcome> owner = new CompletableFuture<>();
        elsewhere
                .operation(POLICY)
                .runAsync(
                        Call.of(key("c"), Fingerprint.of("c")),
                        Runnable::run,
                        attempt -> owner.orTimeout(1, TimeUnit.MINUTES));
        // Keys are claimed ahead only after some records went well.
        List<PendingRecord<String, String>> entries = new ArrayList<>();
        for (String value : List.of("1", "2", "3", "a", "b", "c")) {
            entries.add(entry(entries.size(), value));
        }
        PendingRecord<String, String> b = entries.get(4);
        PendingRecord<String, String> c = entries.get(5);
        lane.add(entries);
        await().until(() -> is(b, true) && is(c, true));
        await().until(() -> waits(c));
        // The record before c takes its time to give its key back; meanwhile c wakes up, and goes back in line.
        b.turn.whenComplete((now, recalled) -> await().until(() -> is(c, false)));

        firstTryOfA.completeExceptionally(new NotExecutedException("not now", null));
        await().until(() -> is(c, false));
        owner.completeExceptionally(new NotExecutedException("not here", null));

        await().untilAsserted(() -> assertThat(handled).containsExactly("1", "2", "3", "a", "b", "c"));
    }

    @Test
    void aRecordThatWasRecalledIsClaimedAgainBeforeThoseBehindIt() {
        answerToB = new CompletableFuture<>();
        List<PendingRecord<String, String>> entries = new ArrayList<>();
        for (String value : List.of("1", "2", "3", "a", "x", "b", "c")) {
            entries.add(entry(entries.size(), value));
        }
        PendingRecord<String, String> b = entries.get(5);
        PendingRecord<String, String> c = entries.get(6);
        lane.add(entries);
        await().until(() -> is(c, true));
        // All behind a give their keys back, but b has not been told yet that it has one.
        firstTryOfA.completeExceptionally(new NotExecutedException("not now", null));
        await().until(() -> is(c, false));
        PendingRecord<String, String> sameAsC = entry(7, "c");
        lane.add(List.of(sameAsC));
        await().until(() -> is(b, true) && is(c, true) && waits(sameAsC));

        answerToB.complete(null);

        await().until(() -> settled(sameAsC));
        assertThat(handled).containsExactly("1", "2", "3", "a", "x", "b", "c");
    }

    private boolean settled(PendingRecord<String, String> entry) {
        synchronized (lane) {
            return entry.settled;
        }
    }

    private boolean is(PendingRecord<String, String> entry, boolean started) {
        synchronized (lane) {
            return entry.started == started;
        }
    }

    private boolean waits(PendingRecord<String, String> entry) {
        synchronized (lane) {
            return entry.waiting;
        }
    }

    private static Key key(String value) {
        return Key.of("lane", value);
    }

    private static PendingRecord<String, String> entry(long offset, String value) {
        ReadResult<String, String> read = new ReadResult.Read<>(
                key(value), Fingerprint.of(value), new ConsumerRecord<>("topic", 0, offset, "", value));
        return new PendingRecord<>(
                new ConsumerRecord<>("topic", 0, offset, new byte[0], new byte[0]), read, () -> read);
    }
}
