package dev.semel.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.semel.Codec;
import dev.semel.Key;
import dev.semel.NoValueException;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.SemelClosedException;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spring.method.FailingBeans.Operations;
import dev.semel.spring.method.FailingBeans.Outage;
import dev.semel.spring.method.FailingBeans.Work;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.failures.FailureContract;
import dev.semel.testkit.failures.Meaning;
import dev.semel.testservers.TestPostgres;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ReflectionUtils;

/** Holds the bean methods of one mode to their column of the failure matrix, on PostgreSQL. */
abstract class BeanFailures extends FailureContract {

    private static String database;
    private static ConfigurableApplicationContext shared;

    private final ConfigurableApplicationContext context = shared;

    @BeforeAll
    static void start() {
        database = TestPostgres.newDatabase();
        shared = FailingBeans.start(database);
    }

    @AfterAll
    static void stop() {
        shared.close();
    }

    /** The method of {@link Operations} that has the mode. */
    abstract String method();

    abstract String call(Operations operations, String id, String input, Work work) throws Exception;

    /** What it means that nothing is left of a run. */
    abstract Meaning undone();

    @Override
    protected Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = new HashMap<>();
        scenarios.put("returns", () -> afterRunning(attempt -> "done"));
        scenarios.put(
                "throws",
                () -> afterRunning(attempt -> {
                    throw new IllegalStateException("its own");
                }));
        scenarios.put(
                "not-executed",
                () -> afterRunning(attempt -> {
                    throw new NotExecutedException("not now", null);
                }));
        scenarios.put(
                "outcome-unknown",
                () -> afterRunning(attempt -> {
                    throw new OutcomeUnknownException("no answer", null);
                }));
        scenarios.put("nested-in-flight", this::nestedInFlight);
        scenarios.put(
                "nested-unknown",
                () -> afterNested(attempt -> {
                    throw new OutcomeUnknownException("no answer", null);
                }));
        scenarios.put(
                "nested-failed",
                () -> afterNested(attempt -> {
                    throw new IllegalStateException("declined");
                }));
        scenarios.put(
                "wrapped",
                () -> afterRunning(attempt -> {
                    throw new IllegalStateException(
                            "of the application", new StoreUnavailableException("of Semel", null));
                }));
        scenarios.put("cancelled", this::stopped);
        scenarios.put("store-down-at-claim", this::storeDownAtClaim);
        scenarios.put("store-down-at-settle", () -> duringOutage("settle", attempt -> "done"));
        scenarios.put("engine-closed", this::engineClosed);
        scenarios.put("mismatch", this::mismatch);
        return scenarios;
    }

    /** Runs the work under a new key, and finds out what its end meant. */
    private Meaning afterRunning(Work work) throws Exception {
        String id = UUID.randomUUID().toString();
        int before = operations().runs();
        Throwable end = catchThrowable(() -> call(operations(), id, "", work));
        assertThat(operations().runs())
                .as("runs, of which one ended with %s", end)
                .isEqualTo(before + 1);
        return meaning(id);
    }

    final Meaning duringOutage(String method, Work work) throws Exception {
        context.getBean(Outage.class).begin(method);
        String id = UUID.randomUUID().toString();
        int before = operations().runs();
        try {
            Throwable end = catchThrowable(() -> call(operations(), id, "", work));
            assertThat(operations().runs())
                    .as("runs, of which one ended with %s", end)
                    .isEqualTo(before + 1);
        } finally {
            context.getBean(Outage.class).end();
        }
        // An outcome that could not be stored at once is stored in the background.
        await().until(() -> context.getBean(Semel.class).activity().running() == 0);
        return meaning(id);
    }

    /** A step whose work is done when the store goes away. */
    final Meaning stepNotRecorded() throws Exception {
        return duringOutage("recordStep", attempt -> attempt.step("charge", Codec.text(), () -> "charged"));
    }

    private Meaning afterNested(Work nested) throws Exception {
        String child = UUID.randomUUID().toString();
        assertThat(catchThrowable(() -> operations().nested(child, nested, null)))
                .isNotNull();
        return afterRunning(attempt -> operations().nested(child, again -> "ran again", null));
    }

    private Meaning nestedInFlight() throws Exception {
        String child = UUID.randomUUID().toString();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<String> elsewhere = later(() -> operations()
                .nested(
                        child,
                        attempt -> {
                            entered.countDown();
                            end.await();
                            return "done";
                        },
                        null));
        entered.await();
        try {
            return afterRunning(attempt -> operations().nested(child, again -> "ran again", null));
        } finally {
            end.countDown();
            elsewhere.join();
        }
    }

    /** The application is closed while the operation runs; another node is asked what became of it. */
    private Meaning stopped() throws Exception {
        String id = UUID.randomUUID().toString();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ConfigurableApplicationContext stopping = FailingBeans.start(database);
        Operations operations = stopping.getBean(Operations.class);
        CompletableFuture<String> running = later(() -> call(operations, id, "", attempt -> {
            entered.countDown();
            end.await();
            return "done";
        }));
        entered.await();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(stopping::close);
        await().until(() ->
                catchThrowable(() -> call(operations, UUID.randomUUID().toString(), "", attempt -> ""))
                        instanceof SemelClosedException);
        assertThat(running).isNotDone();
        end.countDown();
        assertThat(running.join()).isEqualTo("done");
        closed.join();
        assertThat(meaning(id)).isEqualTo(Meaning.STORED);
        return Meaning.GOES_ON;
    }

    private Meaning storeDownAtClaim() {
        String id = UUID.randomUUID().toString();
        int before = operations().runs();
        context.getBean(Outage.class).begin("claim");
        try {
            assertThat(catchThrowable(() -> call(operations(), id, "", attempt -> "ran")))
                    .isInstanceOf(StoreUnavailableException.class);
        } finally {
            context.getBean(Outage.class).end();
        }
        assertThat(operations().runs()).isEqualTo(before);
        // The engine asks again whether the claim was made after all, and takes it back.
        await().untilAsserted(() -> assertThat(find(id)).isEmpty());
        return Meaning.NOTHING_RAN;
    }

    private Meaning engineClosed() {
        try (ConfigurableApplicationContext closed = FailingBeans.start(database)) {
            closed.getBean(Semel.class).close();
            String id = UUID.randomUUID().toString();
            Operations operations = closed.getBean(Operations.class);
            assertThat(catchThrowable(() -> call(operations, id, "", attempt -> "ran")))
                    .isInstanceOf(SemelClosedException.class);
            assertThat(operations.runs()).isZero();
            assertThat(find(id)).isEmpty();
            return Meaning.NOTHING_RAN;
        }
    }

    private Meaning mismatch() throws Exception {
        String id = UUID.randomUUID().toString();
        call(operations(), id, "one", attempt -> "done");
        int before = operations().runs();
        assertThat(catchThrowable(() -> call(operations(), id, "another", attempt -> "ran")))
                .isInstanceOf(NoValueException.class);
        assertThat(operations().runs()).isEqualTo(before);
        assertThat(call(operations(), id, "one", attempt -> "ran")).isEqualTo("done");
        return Meaning.NOTHING_RAN;
    }

    /** What is known of the key, and what a retry gets, has to agree. */
    private Meaning meaning(String id) throws Exception {
        Optional<KeyRecord> record = find(id);
        int effects = operations().effects(id);
        int before = operations().runs();
        Throwable refusal = null;
        String answer = null;
        try {
            answer = call(operations(), id, "", attempt -> "ran again");
        } catch (Exception e) {
            refusal = e;
        }
        boolean ran = operations().runs() > before;
        if (record.isEmpty()) {
            assertThat(ran).as("a retry runs").isTrue();
            assertThat(answer).isEqualTo("ran again");
            assertThat(effects).as("effects that are left").isEqualTo(undone() == Meaning.ROLLED_BACK ? 0 : 1);
            return undone();
        }
        assertThat(ran).as("a retry does not run").isFalse();
        if (record.get().state() == KeyState.SUCCEEDED || record.get().state() == KeyState.FAILED) {
            assertThat(effects).isEqualTo(1);
            return Meaning.STORED;
        }
        assertThat(refusal).isInstanceOf(NoValueException.class);
        assertThat(effects).as("effects that are left").isEqualTo(undone() == Meaning.ROLLED_BACK ? 0 : 1);
        return Meaning.CANNOT_TELL;
    }

    private Optional<KeyRecord> find(String id) {
        return context.getBean(Semel.class).find(key(id)).toCompletableFuture().join();
    }

    private Key key(String id) {
        Method method = ReflectionUtils.findMethod(Operations.class, method(), (Class<?>[]) null);
        @Nullable Object[] arguments = {id, "", null, null};
        return context.getBean(IdempotentMethods.class)
                .operation(method, Operations.class)
                .call(arguments)
                .key();
    }

    private Operations operations() {
        return context.getBean(Operations.class);
    }

    private interface Task {

        String run() throws Exception;
    }

    private static CompletableFuture<String> later(Task task) {
        CompletableFuture<String> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                done.complete(task.run());
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
