package dev.semel.lease;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Key;
import dev.semel.LeaseLostException;
import dev.semel.SemelException;
import dev.semel.observe.SemelEvent;
import dev.semel.spi.Claim;
import dev.semel.spi.Lease;
import dev.semel.util.CallerThread;
import dev.semel.util.Failures;
import dev.semel.util.Text;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An attempt that this process runs, both as the operation sees it and with the state that the engine keeps. */
public final class RunningAttempt implements Attempt {

    private final Key key;
    private final String operation;
    private final @Nullable Lease lease;
    private final AttemptSupport support;
    private final Map<String, byte[]> steps;
    private final Set<String> children = ConcurrentHashMap.newKeySet();
    private final long startedAt = System.nanoTime();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** When the lease ends at the earliest, by this process's monotonic clock. */
    private volatile long aliveUntil;

    /** The same by the time of day: the monotonic clock stands still while the machine is suspended. */
    private volatile long aliveUntilMillis;

    private volatile boolean leaseLost;
    private volatile boolean ending;

    /** An attempt under a lease that was asked for at {@code askedAt}, and lasts this long. */
    public RunningAttempt(
            Key key,
            String operation,
            Lease lease,
            Map<String, byte[]> steps,
            AttemptSupport support,
            long askedAt,
            Duration duration) {
        this.key = key;
        this.operation = operation;
        this.lease = lease;
        this.steps = steps.isEmpty() ? new ConcurrentHashMap<>() : new ConcurrentHashMap<>(steps);
        this.support = support;
        renewed(askedAt, duration, startedAt);
    }

    /** An attempt without a lease, because the store is down and the policy allows it. */
    private RunningAttempt(Key key, String operation) {
        this.key = key;
        this.operation = operation;
        this.lease = null;
        this.steps = new ConcurrentHashMap<>();
        this.support = NoSupport.UNPROTECTED;
    }

    public static RunningAttempt unprotected(Key key, String operation) {
        return new RunningAttempt(key, operation);
    }

    /** An attempt whose claim is part of the transaction that it runs in. */
    public static RunningAttempt inTransaction(
            Key key, String operation, Claim.Acquired acquired, long askedAt, Duration duration) {
        return new RunningAttempt(
                key, operation, acquired.lease(), acquired.steps(), NoSupport.IN_TRANSACTION, askedAt, duration);
    }

    public String operation() {
        return operation;
    }

    /** This attempt, for the events about it. */
    public SemelEvent.Subject subject() {
        return SemelEvent.Subject.of(operation, key.digest()).attempt(number(), token());
    }

    /** Whether it holds a lease; an unprotected attempt does not. */
    public boolean hasLease() {
        return lease != null;
    }

    public Lease lease() {
        if (lease == null) {
            throw new IllegalStateException("an unprotected attempt has no lease");
        }
        return lease;
    }

    @Override
    public Key key() {
        return key;
    }

    @Override
    public long token() {
        return lease == null ? 0 : lease.token();
    }

    @Override
    public int number() {
        return lease == null ? 0 : lease.attempt();
    }

    @Override
    public boolean isLeaseLost() {
        return leaseLost;
    }

    public void markLeaseLost() {
        leaseLost = true;
    }

    /** The store has said that the lease is held, when it was asked at {@code askedAt}. */
    public void renewed(long askedAt, Duration duration) {
        renewed(askedAt, duration, System.nanoTime());
    }

    private void renewed(long askedAt, Duration duration, long now) {
        long left = duration.toNanos() - (now - askedAt);
        aliveUntilMillis = System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(left);
        aliveUntil = askedAt + duration.toNanos();
    }

    /** Whether the lease is still held, by the store's last answer and the time since that was requested. */
    public boolean isLeaseAlive() {
        return lease == null
                || (!leaseLost
                        && System.nanoTime() - aliveUntil < 0
                        && System.currentTimeMillis() - aliveUntilMillis < 0);
    }

    /** From now on the key may be settled or gone, so a refused renewal says nothing. */
    public void markEnding() {
        ending = true;
    }

    public boolean isEnding() {
        return ending;
    }

    /** Whether this attempt or an earlier one has finished a step. */
    public boolean hasSteps() {
        return !steps.isEmpty();
    }

    /** The key values that it has given to downstream calls. */
    public Set<String> children() {
        return children;
    }

    /** Completes when the engine has nothing more to do for this attempt. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    public long startedAt() {
        return startedAt;
    }

    @Override
    public String childKey(String label) {
        if (leaseLost) {
            throw new LeaseLostException(key.digest(), token());
        }
        String child = key.childValue(label);
        if (children.add(child)) {
            support.named(child, this);
        }
        return child;
    }

    @Override
    public <R> R step(String name, Codec<R> codec, Callable<R> work) throws Exception {
        byte[] known = known(name);
        if (known != null) {
            return codec.decode(known);
        }
        CallerThread.await(readyForAStep());
        R result = work.call();
        CallerThread.await(record(name, codec, result));
        return result;
    }

    @Override
    public <R> CompletionStage<R> stepAsync(String name, Codec<R> codec, Supplier<CompletionStage<R>> work) {
        byte[] known = known(name);
        if (known != null) {
            return CompletableFuture.completedStage(codec.decode(known));
        }
        CompletableFuture<?> ready = readyForAStep().toCompletableFuture();
        CompletionStage<R> done = ready.isDone()
                ? ready.thenCompose(now -> work.get())
                : ready.thenComposeAsync(now -> work.get(), support.executor());
        return done.thenCompose(result -> record(name, codec, result).thenApply(recorded -> result));
    }

    private byte @Nullable [] known(String name) {
        if (name.startsWith("semel:")) {
            throw new IllegalArgumentException(
                    "step names must not start with semel:, which is reserved; got " + Text.quote(name));
        }
        return steps.get(Text.requireName("step name", name, Key.MAX_LENGTH));
    }

    /** Refuses to start a step that could not be recorded, or whose lease another attempt may have by now. */
    private CompletionStage<?> readyForAStep() {
        if (lease == null) {
            return CompletableFuture.completedStage(null);
        }
        support.requireSteps();
        return isLeaseAlive() ? CompletableFuture.completedStage(null) : support.renew(this);
    }

    private <R> CompletionStage<?> record(String name, Codec<R> codec, R result) {
        byte[] encoded;
        try {
            encoded = codec.encode(result);
        } catch (RuntimeException e) {
            throw new SemelException("step " + Text.quote(name) + " ran, but its result cannot be encoded", e);
        }
        steps.put(name, encoded);
        if (lease == null) {
            return CompletableFuture.completedStage(null);
        }
        return support.record(lease, name, encoded).whenComplete((recorded, failure) -> {
            if (failure != null && Failures.unwrap(failure) instanceof LeaseLostException) {
                markLeaseLost();
            }
        });
    }
}
