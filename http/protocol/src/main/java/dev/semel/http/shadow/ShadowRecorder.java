package dev.semel.http.shadow;

import dev.semel.Namespace;
import dev.semel.http.shadow.ShadowExchange.Ending;
import dev.semel.http.shadow.ShadowTotals.Count;
import dev.semel.http.shadow.ShadowTotals.Row;
import dev.semel.http.spool.Spool;
import dev.semel.policy.ExternalPolicy;
import dev.semel.spi.KeyStore;
import dev.semel.util.Durations;
import dev.semel.util.Failures;
import dev.semel.util.Threads;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what Semel would have done with requests in shadow mode. It works behind the requests: on a thread of its
 * own, with a bounded queue, bounded memory and a bounded number of store calls. What does not fit is dropped and
 * counted.
 *
 * <p>Counts are kept in memory for up to a minute, then written to the store, where {@link ShadowReport} reads those of all
 * nodes. It does not close the store.
 */
public final class ShadowRecorder implements AutoCloseable {

    /** The same request under another key within this time is taken for a retry. */
    public static final Duration SAME_REQUEST = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(ShadowRecorder.class);

    private static final int QUEUED_REQUESTS = 1024;
    private static final int STORE_CALLS = 256;
    private static final long HELD_BODIES = 32L << 20;
    private static final int CALLERS_AT_ONCE = 100;
    private static final Duration ENDING = Duration.ofSeconds(2);

    private final ShadowKeys keys;
    private final Namespace namespace;
    private final InstantSource clock;
    private final Duration keep;
    private final ShadowTotals totals = new ShadowTotals();
    private final ShadowMemory memory = new ShadowMemory(HELD_BODIES);
    private final Semaphore calls = new Semaphore(STORE_CALLS);
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> storeFailure = new AtomicReference<>();
    private final ThreadPoolExecutor worker;
    private final ScheduledExecutorService timer;

    private ShadowRecorder(Builder builder) {
        this.namespace = ShadowKeys.shadowOf(builder.namespace);
        this.keys = new ShadowKeys(builder.store, namespace, builder.fingerprintKey);
        this.clock = builder.clock;
        this.keep = builder.keep;
        this.worker = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUED_REQUESTS), Threads.daemons("semel-shadow"));
        worker.allowCoreThreadTimeOut(true);
        this.timer = Executors.newSingleThreadScheduledExecutor(Threads.daemons("semel-shadow-writer"));
        long interval = builder.writeEvery.toMillis();
        timer.scheduleWithFixedDelay(this::write, interval, interval, TimeUnit.MILLISECONDS);
    }

    public static Builder builder(KeyStore store) {
        return new Builder(store);
    }

    /**
     * The policies of the records that shadow mode leaves in the store. An engine that knows them resolves a record that a
     * node had not finished when it died.
     */
    public static List<ExternalPolicy> policies() {
        return ShadowKeys.policies();
    }

    /**
     * Starts to watch a request.
     *
     * @param announced the length of its body; negative if it is not known
     */
    public ShadowExchange begin(ShadowExchange.Protocol protocol, long announced) {
        return new ShadowExchange(
                this, protocol, new ShadowBody(memory, announced), ShadowAttempt.in(namespace), now());
    }

    long now() {
        return clock.millis();
    }

    /** How many requests were not looked at, because there was no room or the store did not take what was seen. */
    public long dropped() {
        return dropped.get();
    }

    void take(ShadowExchange exchange, @Nullable String scope, Ending ending) {
        try {
            worker.execute(() -> look(exchange, scope, ending));
        } catch (RejectedExecutionException full) {
            drop(exchange);
        }
    }

    private void drop(ShadowExchange exchange) {
        exchange.body().release();
        dropped.incrementAndGet();
        totals.add(exchange.protocol().operation(), ShadowTotals.DROPPED, now());
    }

    private void look(ShadowExchange exchange, @Nullable String scope, Ending ending) {
        if (exchange.body().isLost() || !calls.tryAcquire()) {
            drop(exchange);
            return;
        }
        CompletionStage<?> remembered;
        try {
            remembered = remember(exchange, scope, ending);
        } catch (IOException | RuntimeException | Error e) {
            remembered = CompletableFuture.failedStage(e);
        }
        remembered.whenComplete((done, failure) -> {
            calls.release();
            if (failure == null) {
                exchange.body().release();
                totals.add(exchange.protocol().operation(), ShadowTotals.REQUESTS, ending.endedAt());
            } else {
                storeFailure.set(failure);
                drop(exchange);
            }
        });
    }

    private CompletionStage<?> remember(ShadowExchange exchange, @Nullable String caller, Ending ending)
            throws IOException {
        ShadowExchange.Protocol protocol = exchange.protocol();
        ShadowBody body = exchange.body();
        boolean whole = body.isWhole();
        long size = body.size();
        boolean exact = body.isExact();
        Spool content = body.content();
        ShadowedCall call = protocol.read(caller, content, exact);
        if (call == null) {
            return CompletableFuture.failedStage(new IllegalStateException("the key of operation "
                    + protocol.operation() + " is in a body that is too large to be held, or was not read to its end"));
        }
        String scope = call.scope() == null ? ShadowKeys.OWN_SCOPE : call.scope();
        if (call.refusal() != null) {
            found(protocol, scope, call.refusal());
        }
        if (size > protocol.maxBody()) {
            found(protocol, scope, ShadowFinding.BODY_TOO_LARGE);
        }
        ShadowedEnd end = protocol.end(ending.status(), ending.failure(), ending.reportsEntry());
        if (call.scope() == null || end == ShadowedEnd.NOT_EXECUTED) {
            return CompletableFuture.completedStage(null);
        }
        boolean unknown = end == ShadowedEnd.UNKNOWN;
        CompletionStage<@Nullable ShadowFinding> byKey = call.key() == null
                ? CompletableFuture.completedStage(null)
                : keys.byKey(scope, call, whole, ending, protocol.retention())
                        .thenApply(known -> known == null && unknown ? ShadowFinding.OUTCOME_UNKNOWN : known);
        return byKey.thenCompose(finding -> {
            if (finding != null) {
                found(protocol, scope, finding);
                return CompletableFuture.completedStage(null);
            }
            return whole && !unknown && !ending.isError()
                    ? keys.byRequest(scope, call).thenAccept(repeated -> {
                        if (repeated != null) {
                            found(protocol, scope, repeated);
                        }
                    })
                    : CompletableFuture.completedStage(null);
        });
    }

    private void found(ShadowExchange.Protocol protocol, String scope, ShadowFinding finding) {
        totals.add(scope, protocol.operation(), finding, now());
        protocol.tell(finding);
    }

    /** Writes what was counted to the store now. The stage never fails; what could not be written is tried again later. */
    public CompletionStage<Void> write() {
        Throwable failure = storeFailure.getAndSet(null);
        if (failure != null) {
            log.warn(
                    "shadow mode could not record requests, which were not affected; {} were not recorded since the"
                            + " start; the last failure was",
                    dropped.get(),
                    failure);
        }
        List<CompletableFuture<?>> written = new ArrayList<>();
        totals.take(CALLERS_AT_ONCE)
                .forEach((scope, counts) -> written.add(write(scope, counts).toCompletableFuture()));
        return CompletableFuture.allOf(written.toArray(CompletableFuture[]::new));
    }

    private CompletionStage<?> write(String scope, Map<Row, Count> counts) {
        return Failures.inStage(() -> keys.keep(scope, TotalsText.write(counts), keep))
                .handle((done, failure) -> {
                    if (failure != null) {
                        storeFailure.set(failure);
                        counts.forEach(totals::add);
                    }
                    return done;
                });
    }

    /** Looks at what is queued and writes the counts, for a few seconds at most. */
    @Override
    public void close() {
        worker.shutdown();
        timer.shutdownNow();
        Threads.awaitUninterrupted(() -> {
            if (!worker.awaitTermination(ENDING.toMillis(), TimeUnit.MILLISECONDS)) {
                worker.shutdownNow();
            }
            if (calls.tryAcquire(STORE_CALLS, ENDING.toMillis(), TimeUnit.MILLISECONDS)) {
                calls.release(STORE_CALLS);
            }
        });
        write().toCompletableFuture()
                .completeOnTimeout(null, ENDING.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Makes a {@link ShadowRecorder}. */
    public static final class Builder {

        private final KeyStore store;
        private Namespace namespace = Namespace.DEFAULT;
        private InstantSource clock = InstantSource.system();
        private Duration writeEvery = Duration.ofMinutes(1);
        private Duration keep = Duration.ofDays(8);
        private byte @Nullable [] fingerprintKey;

        private Builder(KeyStore store) {
            this.store = store;
        }

        /** The namespace of the keys that clients send; the records of shadow mode are in one beside it. */
        public Builder namespace(Namespace namespace) {
            this.namespace = namespace;
            return this;
        }

        /** The clock behind the times in the report. */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /** How often counts are written to the store; every minute, unless set. */
        public Builder writeEvery(Duration interval) {
            this.writeEvery = Durations.requirePositive("interval of shadow mode", interval);
            return this;
        }

        /** How long counts are kept in the store; 8 days, unless set. */
        public Builder keep(Duration duration) {
            this.keep = Durations.requirePositive("time that shadow mode keeps counts", duration);
            return this;
        }

        /** The secret of {@link dev.semel.Semel.Builder#fingerprintKey}, if there is one. */
        public Builder fingerprintKey(byte[] secret) {
            this.fingerprintKey = secret.clone();
            return this;
        }

        public ShadowRecorder build() {
            return new ShadowRecorder(this);
        }
    }
}
