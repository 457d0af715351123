package dev.semel.testkit.failures;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.TransactionRunner;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Retention;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Resolution;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import dev.semel.testkit.failures.EngineFailures.Ending;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** One run of an operation that meets a failure, and its result. */
final class FailingRun {

    private static final ExternalPolicy CHILD = Policy.external("child").build();
    private static final Fingerprint BODY = Fingerprint.of("body");

    private final Semel semel;
    private final KeyStore store;
    private final FaultyStore faulty;
    private final RunMode mode;
    private final Consumer<Duration> advance;
    private final @Nullable TransactionRunner<?> transactions;
    private final Key key = Key.of("failures", UUID.randomUUID().toString());
    private final Key child = Key.of("failures", key.childValue("child"));
    private final AtomicInteger runs = new AtomicInteger();

    FailingRun(
            Semel semel,
            KeyStore store,
            FaultyStore faulty,
            RunMode mode,
            Consumer<Duration> advance,
            @Nullable TransactionRunner<?> transactions) {
        this.semel = semel;
        this.store = store;
        this.faulty = faulty;
        this.mode = mode;
        this.advance = advance;
        this.transactions = transactions;
    }

    /** The verdicts of these tests' reconcilers. */
    static CompletionStage<Reconciler.Verdict> found() {
        return CompletableFuture.completedStage(
                new Reconciler.Verdict.Done(OutcomeCodec.text().encode("found")));
    }

    Ending endingOf(String failure, String place) throws Exception {
        prepare(failure);
        String caller = caller(() -> first(failure, place));
        faulty.heal();
        String state = state();
        if (state.equals("pending")) {
            advance.accept(EngineFailureContract.LEASE.plusMillis(50));
        }
        int before = runs.get();
        String next = caller(() -> run(attempt -> "run " + runs.incrementAndGet()));
        return new Ending(
                state, caller, next.equals("returns") ? (runs.get() > before ? "runs" : "replays") : next(next));
    }

    /** A retry that throws does so because the stored outcome is a failure. */
    private static String next(String caller) {
        return caller.equals("throws") ? "fails" : caller;
    }

    private interface Body {

        String run(Attempt attempt) throws Exception;
    }

    private interface Sending {

        Execution<String> send() throws Exception;
    }

    private String caller(Sending sending) {
        try {
            Execution<String> execution = sending.send();
            if (execution instanceof Execution.InFlight || execution instanceof Execution.LeaseLost) {
                return "in flight";
            }
            if (execution instanceof Execution.Unknown) {
                return "unknown";
            }
            execution.get();
            return "returns";
        } catch (Exception e) {
            return "throws";
        }
    }

    private Execution<String> first(String failure, String place) throws Exception {
        return switch (place) {
            case "in the operation" -> run(attempt -> fail(failure));
            case "wrapped" ->
                run(attempt -> {
                    try {
                        return fail(failure);
                    } catch (Exception e) {
                        throw new IllegalStateException("the order failed", new CompletionException(e));
                    }
                });
            case "in a step" ->
                run(attempt -> {
                    if (failure.equals("an operator frees the key")) {
                        free();
                        // A step asks what the heartbeat has found out.
                        Awaitility.await().until(attempt::isLeaseLost);
                    }
                    return attempt.step("charge", Codec.text(), () -> fail(failure));
                });
            case "after a step" ->
                run(attempt -> {
                    attempt.step("charge", Codec.text(), () -> "charged");
                    return fail(failure);
                });
            case "when a step is recorded" ->
                run(attempt -> attempt.step("charge", Codec.text(), () -> {
                    disturbStep(failure);
                    return "charged";
                }));
            case "in an asynchronous completion" -> join(external().runAsync(key, BODY, attempt -> failing(failure)));
            case "when the outcome is stored" -> atTheSettle(failure);
            default -> throw new IllegalArgumentException("no test knows the place '" + place + "'");
        };
    }

    private Execution<String> atTheSettle(String failure) throws Exception {
        return switch (failure) {
            case "the store is down" -> {
                faulty.next(
                        mode.isTransactional() ? StoreCall.SETTLE_IN_TRANSACTION : StoreCall.SETTLE,
                        Fault.FAILS_BEFORE);
                yield run(attempt -> "run " + runs.incrementAndGet());
            }
            case "an operator frees the key" ->
                run(attempt -> {
                    free();
                    return "run " + runs.incrementAndGet();
                });
            case "the commit fails" -> inTransaction(BrokenTransactions.beforeCommit(required()), attempt -> "lost");
            case "the answer of the commit is lost" ->
                inTransaction(BrokenTransactions.afterCommit(required()), attempt -> "kept");
            default -> throw new IllegalArgumentException("no test knows the failure '" + failure + "' here");
        };
    }

    /** Prepares the state before the operation meets its failure. */
    private void prepare(String failure) {
        switch (failure) {
            case "a nested key is in flight" -> {
                semel.operation(CHILD, OutcomeCodec.text()).runAsync(child, BODY, attempt -> new CompletableFuture<>());
                Awaitility.await().until(() -> find(child).isPresent());
            }
            case "a nested outcome is unknown" -> ignore(() -> nested(new OutcomeUnknownException("no answer", null)));
            case "a nested key is mismatched" ->
                ignore(() -> semel.operation(CHILD, OutcomeCodec.text())
                        .run(child, Fingerprint.of("other"), attempt -> "done"));
            case "a nested key has expired" -> {
                ignore(() -> nested(semel, expiring(Policy.MIN_LEASE), attempt -> "done"));
                advance.accept(Policy.MIN_LEASE.plusMillis(50));
            }
            case "a nested operation has failed" -> ignore(() -> nested(new IllegalStateException("declined")));
            default -> {}
        }
    }

    private static ExternalPolicy expiring(Duration brief) {
        return Policy.external("child")
                .lease(brief)
                .retention(Retention.of(brief).withTombstone(Duration.ofHours(1)))
                .build();
    }

    private String fail(String failure) throws Exception {
        return switch (failure) {
            case "the store is down" -> throw new StoreUnavailableException("away", null);
            case "the store refuses" -> throw new StoreException("refused", null);
            case "the operation cannot tell" -> throw new OutcomeUnknownException("no answer", null);
            case "the operation is cancelled" -> throw new CancellationException("shutting down");
            case "the operation did not execute" -> throw new NotExecutedException("no connection", null);
            case "the operation fails" -> throw new IllegalStateException("declined");
            case "a nested engine is closed" -> {
                Semel closed = Semel.builder(store).build();
                closed.close();
                yield nested(closed, CHILD, attempt -> "done");
            }
            case "a nested operation did not execute" -> nested(new NotExecutedException("no connection", null));
            case "a nested operation cannot tell" -> nested(new OutcomeUnknownException("no answer", null));
            case "a nested key has expired" -> nested(semel, expiring(Policy.MIN_LEASE), attempt -> "done");
            case "a nested key is in flight",
                    "a nested outcome is unknown",
                    "a nested key is mismatched",
                    "a nested operation has failed" -> nested(semel, CHILD, attempt -> "done");
            default -> throw new IllegalArgumentException("no test knows the failure '" + failure + "'");
        };
    }

    private CompletionStage<String> failing(String failure) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return fail(failure);
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
    }

    private void disturbStep(String failure) {
        switch (failure) {
            case "the store is down" -> faulty.every(StoreCall.RECORD_STEP, Fault.FAILS_BEFORE);
            case "the store refuses" -> faulty.every(StoreCall.RECORD_STEP, Fault.REFUSES);
            case "an operator frees the key" -> free();
            default -> throw new IllegalArgumentException("no test knows the failure '" + failure + "' here");
        }
    }

    private String nested(RuntimeException failure) throws Exception {
        return nested(semel, CHILD, attempt -> {
            throw failure;
        });
    }

    private String nested(Semel engine, ExternalPolicy policy, Body body) throws Exception {
        return engine.operation(policy, OutcomeCodec.text())
                .run(child, BODY, body::run)
                .get();
    }

    private Execution<String> run(Body body) throws Exception {
        return mode.isTransactional()
                ? inTransaction(required(), body)
                : external().run(key, BODY, body::run);
    }

    private ExternalOperation<String> external() {
        return semel.operation((ExternalPolicy) mode.policy(EngineFailureContract.LEASE), OutcomeCodec.text());
    }

    private <C> Execution<String> inTransaction(TransactionRunner<C> runner, Body body) throws Exception {
        return semel.operation(
                        (TransactionalPolicy) mode.policy(EngineFailureContract.LEASE), OutcomeCodec.text(), runner)
                .run(key, BODY, (attempt, transaction) -> body.run(attempt));
    }

    private TransactionRunner<?> required() {
        if (transactions == null) {
            throw new IllegalStateException("mode " + mode + " needs transactions");
        }
        return transactions;
    }

    /** An operator says that the operation was not executed, which its owner does not know yet. */
    private void free() {
        faulty.every(StoreCall.RENEW, Fault.FAILS_BEFORE);
        advance.accept(EngineFailureContract.LEASE.plusMillis(50));
        KeyRecord record = find(key).orElseThrow();
        boolean freed =
                join(((Inspecting) store).resolve(key.digest(), record.token(), new Resolution.Release(), "test"));
        if (!freed) {
            throw new IllegalStateException("the key was not freed: " + record);
        }
        faulty.heal();
    }

    private Optional<KeyRecord> find(Key of) {
        return join(((Inspecting) store).find(of.digest()));
    }

    private String state() {
        return find(key)
                .map(record -> record.state().name().toLowerCase(Locale.ROOT))
                // A store may see a lease lapse while the test looks at its key.
                .map(state -> state.equals("lapsed") ? "pending" : state)
                .orElse("absent");
    }

    private static void ignore(java.util.concurrent.Callable<?> call) {
        try {
            call.call();
        } catch (Exception expected) {
            // What it leaves behind is what the test is about.
            return;
        }
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
