package dev.semel.torture.node;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Attempt;
import dev.semel.Call;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
    private final ServiceWork work;
    private final Failpoints failpoints;
    private final LedgerClient ledger;
    private final Bug bug;
    private final Release release;
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
        this.failpoints = failpoints;
        this.ledger = ledger;
        this.bug = Bug.named(options.bug());
        this.release = Release.of(options);
        this.transactions = pool == null ? null : new BoundTransactions(JdbcTransactions.of(pool));
        this.keys = pool == null ? StoreUrls.open(options.url()).keys() : sqlStore(options, pool);
        this.store = new FailpointStore(Bugs.plant(bug, keys, pool), failpoints);
        boolean joins = pool != null && !options.url().startsWith(SQLITE);
        for (Operation operation : Operation.values()) {
            if (joins || !operation.isTransactional()) {
                policies.put(operation, release.policy(operation));
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
        release.reconcilers(ledger)
                .forEach(
                        (operation, reconciler) -> builder.reconciler(operation.policy(release.version()), reconciler));
        this.semel = builder.build();
        this.work = new ServiceWork(semel, policies, business, bug);
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

    Release release() {
        return release;
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
            return work.inTransaction(
                    request, attempt, Objects.requireNonNull(transactions).current());
        }
        return request.operation() == Operation.ORDER
                ? work.order(request, attempt, Fingerprint.of(request.body()))
                : work.outside(request, attempt);
    }

    /** The same in a transaction that the door has begun. */
    void handle(ServiceRequest request, Attempt attempt, Connection transaction) throws Exception {
        work.inTransaction(request, attempt, transaction);
    }

    @Override
    public ServiceReply handle(ServiceRequest request) {
        AtomicBoolean started = new AtomicBoolean();
        Key key = bug.changed(Key.of(request.scope(), request.key()));
        int version = options.fingerprintVersion();
        Fingerprint fingerprint = bug.changed(Fingerprint.of(version, request.body()), version, request.body());
        Policy policy = Objects.requireNonNull(policies.get(request.operation()));
        Call.Builder call = Call.builder(key, fingerprint);
        if (request.isPatient() && request.operation() != Operation.SINGLE) {
            call.duplicates(Duplicates.waitFor(release.longWait()));
        }
        try {
            Execution<Outcome> execution = request.operation().isTransactional()
                    ? semel.operation((TransactionalPolicy) policy, Objects.requireNonNull(transactions))
                            .run(call.build(), (attempt, connection) -> {
                                started.set(true);
                                return work.inTransaction(request, attempt, connection);
                            })
                    : external(request, (ExternalPolicy) policy, call.build(), started);
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
        ExternalOperation.Work<Outcome, Exception> body = attempt -> {
            started.set(true);
            if (attempt.isLeaseLost()) {
                ledger.beganWithoutLease(request);
            }
            return request.operation() == Operation.ORDER
                    ? work.order(request, attempt, call.fingerprint())
                    : work.outside(request, attempt);
        };
        ExternalOperation<Outcome> operation = semel.operation(policy);
        return request.isAsynchronous() ? asynchronous(operation, call, body) : operation.run(call, body);
    }

    /** The same on an executor, which may be full. */
    private Execution<Outcome> asynchronous(
            ExternalOperation<Outcome> operation, Call call, ExternalOperation.Work<Outcome, Exception> body)
            throws Exception {
        try {
            return operation
                    .runAsync(call, executor, bug.starting(release.lease(), attempt -> {
                        try {
                            return CompletableFuture.completedFuture(body.run(attempt));
                        } catch (Exception e) {
                            return CompletableFuture.failedFuture(e);
                        }
                    }))
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
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
