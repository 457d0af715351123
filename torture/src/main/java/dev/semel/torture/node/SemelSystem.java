package dev.semel.torture.node;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Attempt;
import dev.semel.Call;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.SemelException;
import dev.semel.gateway.StoreUrls;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.jdbc.JdbcTransactions;
import dev.semel.jdbc.RestoreGuard;
import dev.semel.observe.SemelEvent;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Recovery;
import dev.semel.policy.TransactionalPolicy;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.torture.broker.Consumers;
import dev.semel.torture.broker.StoredEnd;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.Failpoints;
import dev.semel.torture.service.LedgerClient;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import dev.semel.torture.service.SystemUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The service built on Semel, as its documentation says, on a database of the service's own. */
final class SemelSystem implements SystemUnderTest {

    /** Longer than any torture: what is due sooner is the conductor's doing. */
    private static final Duration ROTATE_EVERY = Duration.ofDays(300);

    private static final Duration ROTATES_SOON = Duration.ofMillis(250);

    /** Less than usual, so that a lost answer is noticed within a lease. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** How often the database is looked at whether it was restored. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final String SQLITE = "jdbc:sqlite:";

    private final NodeOptions options;
    private final Business business;
    private final Failpoints failpoints;
    private final Bug bug;
    private final KeyStore keys;
    private final FailpointStore store;
    private final FullExecutor executor = new FullExecutor();
    private final Semel semel;
    private final @Nullable BoundTransactions transactions;
    private final Map<Operation, Policy> policies = new EnumMap<>(Operation.class);

    SemelSystem(
            NodeOptions options,
            @Nullable HikariDataSource pool,
            Business business,
            Failpoints failpoints,
            LedgerClient ledger) {
        this.options = options;
        this.business = business;
        this.failpoints = failpoints;
        this.bug = Bug.named(options.bug());
        this.transactions = pool == null ? null : new BoundTransactions(JdbcTransactions.of(pool));
        this.keys = pool == null ? StoreUrls.open(options.url()).keys() : sqlStore(options, pool);
        this.store = new FailpointStore(Bugs.plant(bug, keys, pool), failpoints);
        boolean joins = pool != null && !options.url().startsWith(SQLITE);
        for (Operation operation : Operation.values()) {
            if (joins || !operation.isTransactional()) {
                policies.put(operation, bug.changed(policy(operation, options)));
            }
        }
        Semel.Builder builder = Semel.builder(store)
                .maintenanceInterval(options.generations() ? ROTATES_SOON : Duration.ofSeconds(1))
                .patience(Duration.ofSeconds(1), Duration.ofSeconds(2))
                .executor(executor)
                .listener(event -> {
                    if (event instanceof SemelEvent.FencedOff fenced) {
                        CompletableFuture.runAsync(() -> tell(ledger, fenced));
                    }
                });
        policies.values().forEach(builder::policy);
        builder.reconciler(
                Operation.ASK.policy(options.fingerprintVersion()),
                lapsed -> CompletableFuture.completedFuture(
                        bug == Bug.RECONCILER_GUESSES
                                ? new Reconciler.Verdict.NotExecuted()
                                : verdict(lapsed, ledger)));
        this.semel = builder.build();
    }

    private static KeyStore sqlStore(NodeOptions options, HikariDataSource pool) {
        JdbcKeyStore.Builder keys = JdbcKeyStore.builder(pool)
                .createIfMissing()
                .statementTimeout(PATIENCE)
                .giveUpAfter(PATIENCE.multipliedBy(2));
        JdbcKeyStore store = (options.generations() ? keys.generations(ROTATE_EVERY) : keys).build();
        return options.guarded() && Bug.named(options.bug()) != Bug.RESTORE_UNNOTICED
                ? RestoreGuard.around(store, pool, besideTheFile(options.url()), LOOK)
                : store;
    }

    /** The file next to SQLite's, as a gateway has it, and {@code null} for other databases. */
    private static @Nullable Path besideTheFile(String url) {
        return url.startsWith(SQLITE) ? Path.of(url.substring(SQLITE.length()) + "-epoch") : null;
    }

    /** The second release has given every operation another name, and a longer lease. */
    private Policy policy(Operation operation, NodeOptions options) {
        String name = operation.policy(options.fingerprintVersion());
        Policy.Builder<?, ?> policy = switch (operation) {
            case HOLD, BRIEF, TOMB -> Policy.external(name);
            case REDO ->
                Policy.external(name)
                        .recovery(Recovery.RE_EXECUTE)
                        .duplicates(Duplicates.waitFor(Duration.ofMillis(500)));
            case ASK -> Policy.external(name).recovery(Recovery.RECONCILE);
            case ORDER -> Policy.external(name).recovery(Recovery.RE_EXECUTE);
            case TRANSACTION -> Policy.transactional(name);
            case SINGLE -> Policy.singleTransaction(name);
        };
        policy.retention(operation.retention(options.lease(), options.fingerprintVersion()));
        if (options.fingerprintVersion() == 1) {
            return policy.lease(options.lease()).build();
        }
        String[] former = bug == Bug.FORMER_NAME_FORGOTTEN ? new String[0] : new String[] {operation.policy(1)};
        return policy.formerly(former)
                .lease(options.lease().multipliedBy(3).dividedBy(2))
                .build();
    }

    /** How an attempt ended. Sometimes it takes long to find out, and sometimes the outcome is still unknown. */
    private static Reconciler.Verdict verdict(Reconciler.Case lapsed, LedgerClient ledger) {
        try {
            int dice = ThreadLocalRandom.current().nextInt(4);
            if (dice == 0) {
                return new Reconciler.Verdict.CannotTell();
            }
            TimeUnit.MILLISECONDS.sleep(dice == 1 ? 1_000 : 0);
            return ledger.reconcile(Operation.ASK, ServiceRequest.asSent(lapsed.key()))
                    .<Reconciler.Verdict>map(payload -> new Reconciler.Verdict.Done(outcome(payload)))
                    .orElseGet(Reconciler.Verdict.NotExecuted::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reconciler.Verdict.CannotTell();
        }
    }

    private static void tell(LedgerClient ledger, SemelEvent.FencedOff fenced) {
        try {
            ledger.fencedOff(fenced.write());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void disturb(String what, long millis) {
        switch (what) {
            case "heartbeat" -> store.starveHeartbeat(millis);
            case "renewals" -> store.failRenewals(millis);
            case "executor" -> executor.fill(millis);
            default -> throw new IllegalArgumentException("there is no way to disturb " + what);
        }
    }

    Semel semel() {
        return semel;
    }

    Map<Operation, Policy> policies() {
        return policies;
    }

    @Nullable
    BoundTransactions transactions() {
        return transactions;
    }

    FullExecutor executor() {
        return executor;
    }

    /** What the sender of a message learns about it, without sending it again. */
    ServiceReply find(ServiceRequest request) throws InterruptedException {
        KeyRecord record;
        try {
            record = semel.find(Key.of(request.scope(), request.key()))
                    .toCompletableFuture()
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .orElse(null);
        } catch (ExecutionException | TimeoutException | SemelException e) {
            // The store does not say: the client looks again.
            return ServiceReply.of(Kind.IN_FLIGHT);
        }
        Outcome outcome = record == null ? null : record.outcome();
        if (record == null || outcome == null) {
            boolean unknown = record != null && record.state() == KeyState.UNKNOWN;
            return ServiceReply.of(unknown ? Kind.UNKNOWN : record == null ? Kind.NOT_STARTED : Kind.IN_FLIGHT);
        }
        Policy policy = Objects.requireNonNull(policies.get(request.operation()));
        Fingerprint fingerprint =
                Consumers.fingerprint(options.door(), request.body()).forOperation(policy.identity());
        return record.fingerprint().matches(fingerprint)
                ? StoredEnd.reply(request, outcome)
                : ServiceReply.of(Kind.MISMATCH);
    }

    /** What is behind a door that has claimed the key, and settles it. */
    Outcome handle(ServiceRequest request, Attempt attempt) throws Exception {
        if (request.operation().isTransactional()) {
            return inTransaction(
                    request, attempt, Objects.requireNonNull(transactions).current());
        }
        return request.operation() == Operation.ORDER
                ? order(request, attempt, Fingerprint.of(request.body()))
                : outside(request, attempt);
    }

    /** The same in a transaction that the door has begun. */
    void handle(ServiceRequest request, Attempt attempt, Connection transaction) throws Exception {
        inTransaction(request, attempt, transaction);
    }

    @Override
    public ServiceReply handle(ServiceRequest request) {
        AtomicBoolean started = new AtomicBoolean();
        Key key = bug.changed(Key.of(request.scope(), request.key()));
        int version = options.fingerprintVersion();
        Fingerprint fingerprint = bug.changed(Fingerprint.of(version, request.body()), version, request.body());
        Policy policy = Objects.requireNonNull(policies.get(request.operation()));
        Call call = Call.of(key, fingerprint);
        try {
            Execution<Outcome> execution = request.operation().isTransactional()
                    ? semel.operation((TransactionalPolicy) policy, Objects.requireNonNull(transactions))
                            .run(call, (attempt, connection) -> {
                                started.set(true);
                                return inTransaction(request, attempt, connection);
                            })
                    : external(request, (ExternalPolicy) policy, call, started);
            failpoints.reach("before-answer");
            return reply(execution);
        } catch (NotExecutedException e) {
            return ServiceReply.failed(Kind.NOT_APPLIED, e);
        } catch (Exception | OutOfMemoryError e) {
            return ServiceReply.failed(started.get() ? Kind.FAILED : Kind.NOT_STARTED, e);
        }
    }

    private Execution<Outcome> external(ServiceRequest request, ExternalPolicy policy, Call call, AtomicBoolean started)
            throws Exception {
        ExternalOperation.Work<Outcome, Exception> work = attempt -> {
            started.set(true);
            return request.operation() == Operation.ORDER
                    ? order(request, attempt, call.fingerprint())
                    : outside(request, attempt);
        };
        ExternalOperation<Outcome> operation = semel.operation(policy);
        return request.isAsynchronous() ? asynchronous(operation, call, work) : operation.run(call, work);
    }

    /** The same on an executor, which may be full. */
    private Execution<Outcome> asynchronous(
            ExternalOperation<Outcome> operation, Call call, ExternalOperation.Work<Outcome, Exception> work)
            throws Exception {
        try {
            return operation
                    .runAsync(call, executor, attempt -> {
                        try {
                            return CompletableFuture.completedFuture(work.run(attempt));
                        } catch (Exception e) {
                            return CompletableFuture.failedFuture(e);
                        }
                    })
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private Outcome outside(ServiceRequest request, Attempt attempt) throws Exception {
        if (request.behaviour() != Behaviour.STEP) {
            return outcome(business.runOutside(request, attempt.number(), attempt.token()));
        }
        business.prepare(request);
        step(request, attempt, "quote", request::id);
        step(request, attempt, Business.EFFECT, () -> {
            business.effect(request, attempt.number(), attempt.token());
            return request.id();
        });
        business.finish(request);
        return outcome(business.outcome(request, attempt.number(), attempt.token()));
    }

    /** What the step gives is durable, and every later attempt must be given the same. */
    private void step(ServiceRequest request, Attempt attempt, String name, Callable<String> work) throws Exception {
        business.recorded(request, attempt.token(), name, attempt.step(name, Codec.text(), work));
    }

    /** Has its effect in an operation inside this one, and passes on what that one ended with. */
    private Outcome order(ServiceRequest request, Attempt attempt, Fingerprint fingerprint) throws Exception {
        Key key = bug.childKey(Key.of(request.scope(), attempt.childKey("redo")), "redo", attempt.number());
        Policy policy = Objects.requireNonNull(policies.get(Operation.REDO));
        try {
            return semel.operation((ExternalPolicy) policy)
                    .run(key, bug.ofChild(fingerprint), inner -> outside(request, inner))
                    .get();
        } catch (SemelException e) {
            throw bug == Bug.CAUSES_DROPPED ? new IllegalStateException(e.toString()) : e;
        }
    }

    private Outcome inTransaction(ServiceRequest request, Attempt attempt, Connection connection) throws Exception {
        business.prepare(request);
        business.effect(request, attempt.number(), attempt.token(), connection);
        business.finish(request);
        return outcome(business.outcome(request, attempt.number(), attempt.token()));
    }

    private static Outcome outcome(byte[] payload) {
        return Outcome.succeeded().status(200).payload(payload).build();
    }

    private static ServiceReply reply(Execution<Outcome> execution) {
        if (execution instanceof Execution.Executed<Outcome> executed) {
            return new ServiceReply(
                    executed.isStored() ? Kind.EXECUTED : Kind.EXECUTED_UNSETTLED,
                    executed.outcome().requirePayload(),
                    executed.attempt());
        }
        if (execution instanceof Execution.Replayed<Outcome> replayed) {
            return ServiceReply.replayed(replayed.outcome().requirePayload());
        }
        if (execution instanceof Execution.InFlight<Outcome> || execution instanceof Execution.LeaseLost<Outcome>) {
            return ServiceReply.of(Kind.IN_FLIGHT);
        }
        if (execution instanceof Execution.Mismatched<Outcome>) {
            return ServiceReply.of(Kind.MISMATCH);
        }
        return ServiceReply.of(execution instanceof Execution.Expired<Outcome> ? Kind.EXPIRED : Kind.UNKNOWN);
    }

    @Override
    public void close() {
        semel.close();
        keys.close();
    }
}
