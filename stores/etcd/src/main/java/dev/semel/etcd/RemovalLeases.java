package dev.semel.etcd;

import dev.semel.spi.life.Moment;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The leases of etcd that remove keys. A lease costs a write, and etcd removes all keys of a lease at once, so a lease is shared
 * by up to a thousand keys that may go at about the same time.
 */
final class RemovalLeases {

    private static final long NONE = 0;
    private static final int KEYS_PER_LEASE = 1000;
    private static final long LEAST_STRETCH_SECONDS = 256;
    private static final long MAX_TTL_SECONDS = 4_000_000_000L;

    private final Lease leases;
    private final Map<Long, Shared> shared = new HashMap<>();

    RemovalLeases(Lease leases) {
        this.leases = leases;
    }

    /** @param endNanos when it ends by the monotonic clock */
    private record Shared(CompletableFuture<LeaseGrantResponse> lease, long endNanos, AtomicInteger keys) {}

    /** A lease that ends when a key may be removed, or up to an eighth of the time from now on later. */
    synchronized CompletionStage<Long> until(@Nullable Instant removableAt, Moment moment) {
        if (removableAt == null) {
            return CompletableFuture.completedFuture(NONE);
        }
        long left = Duration.between(moment.now(), removableAt).toSeconds();
        long stretch = Long.highestOneBit(Math.max(LEAST_STRETCH_SECONDS, left / 8));
        long end = (removableAt.getEpochSecond() / stretch + 1) * stretch;
        long leastNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.min(left, MAX_TTL_SECONDS));
        Shared known = shared.get(end);
        if (known == null || known.endNanos() - leastNanos < 0 || known.keys().get() == KEYS_PER_LEASE) {
            long seconds = Math.min(end - moment.now().getEpochSecond(), MAX_TTL_SECONDS);
            long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            known = new Shared(EtcdKeyStore.limited(leases.grant(seconds)), endNanos, new AtomicInteger());
            shared.put(end, known);
            shared.keySet().removeIf(other -> other < moment.now().getEpochSecond());
        }
        known.keys().incrementAndGet();
        return known.lease().thenApply(LeaseGrantResponse::getID);
    }

    /** After a failure: it may be that of a lease that was not granted, or that was revoked. */
    synchronized void forget(@Nullable Object answer, @Nullable Throwable failure) {
        if (failure != null) {
            shared.clear();
        }
    }
}
