package dev.semel.testkit.failures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.spi.KeyState;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Holds a consumer of messages to its column of the {@link FailureMatrix}, with recovery {@code HOLD}. */
public abstract class ConsumerFailureContract extends FailureContract {

    /** The operation that consumers run. */
    protected static final String OPERATION = "ship";

    private static final ExternalPolicy NESTED = Policy.external("charge").build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A handler of messages. */
    @FunctionalInterface
    protected interface Handler {

        void handle(Attempt attempt) throws Exception;
    }

    /** A consumer of the front end, with a broker behind it. */
    protected interface Consumer extends AutoCloseable {

        /** Sends a message with this key and content. */
        void send(String key, String content) throws Exception;

        /** Starts to consume. */
        void start() throws Exception;

        /** Whether it has ended by itself. */
        boolean hasEnded() throws Exception;

        Key keyOf(String key);

        /** How many messages went to the dead letters. */
        int dead();
    }

    private final InMemoryKeyStore keys = InMemoryKeyStore.create();
    private FaultyStore store = FaultyStore.around(keys);

    /**
     * Creates a consumer.
     *
     * @param executor runs the handlers; {@code null} for the consumer's own threads
     * @param handler gets every message that is not {@code unreadable}
     */
    protected abstract Consumer consumer(Semel semel, Policy policy, @Nullable Executor executor, Handler handler)
            throws Exception;

    /** The content of a message that the consumer cannot read. */
    protected String unreadable() {
        return "unreadable";
    }

    /** An engine for one scenario, on the store. */
    protected Semel engine(FaultyStore on) {
        return Semel.builder(on.store())
                .patience(Duration.ofMillis(100), Duration.ofMillis(100))
                .shutdownGrace(Duration.ofMillis(100))
                .build();
    }

    @Override
    protected Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        scenarios.put("returns", () -> ends((semel, attempt) -> {}));
        scenarios.put("throws", () -> endsWith(new IllegalStateException("out of stock")));
        scenarios.put("not-executed", () -> {
            AtomicInteger runs = new AtomicInteger();
            return ends((semel, attempt) -> {
                if (runs.incrementAndGet() == 1) {
                    throw new NotExecutedException("not now", null);
                }
            });
        });
        scenarios.put("outcome-unknown", () -> endsWith(new OutcomeUnknownException("no answer came", null)));
        scenarios.put(
                "step-not-recorded",
                () -> ends((semel, attempt) -> {
                    store.every(StoreCall.RECORD_STEP, Fault.FAILS_BEFORE);
                    attempt.step("charge", Codec.text(), () -> "charged");
                }));
        scenarios.put("nested-in-flight", () -> ends(this::callBusyNested));
        scenarios.put(
                "nested-unknown",
                () -> ends((semel, attempt) -> nested(semel, new OutcomeUnknownException("no answer came", null))));
        scenarios.put(
                "nested-failed",
                () -> ends((semel, attempt) -> nested(semel, new IllegalStateException("card declined"))));
        scenarios.put(
                "wrapped",
                () -> ends((semel, attempt) -> {
                    try {
                        callBusyNested(semel, attempt);
                    } catch (RuntimeException e) {
                        throw new IllegalStateException("could not charge", new Exception("a layer", e));
                    }
                }));
        scenarios.put("cancelled", this::cancelled);
        scenarios.put("store-down-at-claim", this::storeDownAtClaim);
        scenarios.put("store-down-at-settle", this::storeDownAtSettle);
        scenarios.put("engine-closed", this::engineClosed);
        scenarios.put("mismatch", this::mismatch);
        scenarios.put("unreadable", this::unreadableMessage);
        if (frontEnd() != FrontEnd.SPRING_KAFKA) {
            scenarios.put("executor-full", this::executorFull);
        }
        return scenarios;
    }

    private interface NestingHandler {
        void handle(Semel semel, Attempt attempt) throws Exception;
    }

    /** A scenario with a consumer and a message with this key, and its meaning. */
    private interface Story {
        Meaning tell(Semel semel, Consumer consumer, String key) throws Exception;
    }

    private Meaning tell(@Nullable Executor executor, NestingHandler handler, Story story) throws Exception {
        store = FaultyStore.around(keys);
        try (Semel semel = engine(store);
                Consumer consumer = consumer(semel, policy(), executor, attempt -> handler.handle(semel, attempt))) {
            return story.tell(semel, consumer, UUID.randomUUID().toString());
        }
    }

    /** The same with a handler that counts how often it ran. */
    private Meaning counted(AtomicInteger runs, Story story) throws Exception {
        return tell(null, (semel, attempt) -> runs.incrementAndGet(), story);
    }

    /** The meaning of a message whose handler ends in this way. */
    private Meaning ends(NestingHandler handler) throws Exception {
        return tell(null, handler, this::meaningOfAnOrder);
    }

    private Meaning endsWith(RuntimeException failure) throws Exception {
        return ends((semel, attempt) -> {
            throw failure;
        });
    }

    private Meaning meaningOfAnOrder(Semel semel, Consumer consumer, String key) throws Exception {
        start(consumer, key, "order");
        return meaning(consumer, key);
    }

    private static void start(Consumer consumer, String key, String content) throws Exception {
        consumer.send(key, content);
        consumer.start();
    }

    private static ExternalPolicy policy() {
        return Policy.external(OPERATION).build();
    }

    private Meaning meaning(Consumer consumer, String key) throws Exception {
        await(() -> consumer.dead() > 0
                || state(consumer, key) == KeyState.UNKNOWN
                || state(consumer, key) == KeyState.SUCCEEDED);
        if (consumer.dead() > 0) {
            return Meaning.DEAD_LETTER;
        }
        if (state(consumer, key) == KeyState.UNKNOWN) {
            return Meaning.CANNOT_TELL;
        }
        return store.count(StoreCall.CLAIM) == 1 ? Meaning.STORED : Meaning.TRIED_AGAIN;
    }

    private @Nullable KeyState state(Consumer consumer, String key) {
        return keys.find(consumer.keyOf(key).digest())
                .toCompletableFuture()
                .join()
                .map(found -> found.state())
                .orElse(null);
    }

    private void callBusyNested(Semel semel, Attempt attempt) {
        Key child = Key.of("nested", attempt.childKey("busy"));
        try (Semel elsewhere = engine(FaultyStore.around(keys))) {
            CompletableFuture<Outcome> owner = new CompletableFuture<>();
            elsewhere
                    .operation(NESTED)
                    .runAsync(Call.of(child, Fingerprint.of("charge")), Runnable::run, nested -> owner);
            call(semel, child);
        }
    }

    /** Lets a nested operation end in this way, and asks for its outcome. */
    private void nested(Semel semel, RuntimeException end) {
        Key child = Key.of("nested", UUID.randomUUID().toString());
        CompletableFuture<?> ended = semel.operation(NESTED)
                .runAsync(
                        Call.of(child, Fingerprint.of("charge")),
                        Runnable::run,
                        attempt -> CompletableFuture.<Outcome>failedStage(end))
                .toCompletableFuture();
        assertThat(ended).failsWithin(PATIENCE);
        call(semel, child);
    }

    private static void call(Semel semel, Key child) {
        Outcome outcome = semel.operation(NESTED)
                .run(
                        child,
                        Fingerprint.of("charge"),
                        attempt -> Outcome.succeeded().build())
                .get();
        if (!outcome.isSuccess()) {
            throw new IllegalStateException("the nested operation has failed: " + outcome);
        }
    }

    private Meaning cancelled() throws Exception {
        store = FaultyStore.around(keys);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        String key = UUID.randomUUID().toString();
        try (Semel semel = engine(store)) {
            Consumer consumer = consumer(semel, policy(), null, attempt -> {
                running.countDown();
                end.await();
            });
            start(consumer, key, "order");
            assertThat(running.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            Thread closing = new Thread(() -> closeQuietly(consumer));
            closing.start();
            assertThat(state(consumer, key)).isEqualTo(KeyState.PENDING);
            end.countDown();
            await(() -> state(consumer, key) == KeyState.SUCCEEDED);
            closing.join();
            return Meaning.GOES_ON;
        }
    }

    private static void closeQuietly(Consumer consumer) {
        try {
            consumer.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Meaning storeDownAtClaim() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        return counted(runs, (semel, consumer, key) -> {
            store.every(StoreCall.CLAIM, Fault.FAILS_BEFORE);
            start(consumer, key, "order");
            await(() -> store.count(StoreCall.CLAIM) > 2);
            assertThat(runs).hasValue(0);
            store.heal();
            Meaning meaning = meaning(consumer, key);
            assertThat(runs).hasValue(1);
            return meaning;
        });
    }

    private Meaning storeDownAtSettle() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        NestingHandler handler = (semel, attempt) -> {
            store.every(StoreCall.SETTLE, Fault.FAILS_BEFORE);
            runs.incrementAndGet();
        };
        return tell(null, handler, (semel, consumer, key) -> {
            start(consumer, key, "order");
            await(() -> store.count(StoreCall.SETTLE) > 1);
            store.heal();
            await(() -> state(consumer, key) == KeyState.SUCCEEDED);
            assertThat(runs).hasValue(1);
            assertThat(consumer.dead()).isZero();
            return Meaning.STORED;
        });
    }

    private Meaning executorFull() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        Executor full = task -> {
            if (refusals.incrementAndGet() <= 2) {
                throw new RejectedExecutionException("full");
            }
            new Thread(task).start();
        };
        return tell(full, (semel, attempt) -> {}, this::meaningOfAnOrder);
    }

    private Meaning engineClosed() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        return counted(runs, (semel, consumer, key) -> {
            semel.close();
            start(consumer, key, "order");
            await(consumer::hasEnded);
            assertThat(runs).hasValue(0);
            assertThat(consumer.dead()).isZero();
            assertThat(state(consumer, key)).isNull();
            return Meaning.NOTHING_RAN;
        });
    }

    private Meaning mismatch() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        return counted(runs, (semel, consumer, key) -> {
            consumer.send(key, "order");
            start(consumer, key, "another order");
            await(() -> consumer.dead() == 1);
            assertThat(runs).hasValue(1);
            await(() -> state(consumer, key) == KeyState.SUCCEEDED);
            return Meaning.DEAD_LETTER;
        });
    }

    private Meaning unreadableMessage() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        return counted(runs, (semel, consumer, key) -> {
            start(consumer, key, unreadable());
            await(() -> consumer.dead() == 1);
            assertThat(runs).hasValue(0);
            assertThat(state(consumer, key)).isNull();
            return Meaning.DEAD_LETTER;
        });
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().pollInSameThread().atMost(PATIENCE).until(condition);
    }
}
