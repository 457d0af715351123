package dev.semel.memory;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.PayloadTooLargeException;
import dev.semel.Retention;
import dev.semel.StoreException;
import dev.semel.memory.Entry.Settlement;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Erasing;
import dev.semel.spi.ErasureNote;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import dev.semel.spi.StoreStatistics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in the memory of one process, complete but not durable: for tests, and where losing all keys with the process
 * is acceptable.
 *
 * <p>Memory is bounded. When it holds as many keys as it may and none can be purged, it refuses new claims; when
 * payloads weigh as much as they may, outcomes are kept without their payload. It never forgets a key early.
 */
public final class InMemoryKeyStore implements KeyStore, Purging, Inspecting, StepRecording, Importing, Erasing {

    private final ConcurrentHashMap<KeyDigest, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong lastToken = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final InstantSource clock;
    private final int maxKeys;
    private final long maxBytes;

    private InMemoryKeyStore(Builder builder) {
        this.clock = builder.clock;
        this.maxKeys = builder.maxKeys;
        this.maxBytes = builder.maxBytes;
    }

    public static InMemoryKeyStore create() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        return answer(() -> {
            makeRoom(request.key().digest());
            AtomicReference<@Nullable Claim> claim = new AtomicReference<>();
            change(request.key().digest(), old -> {
                Instant now = clock.instant();
                Entry acquired = acquire(old, request, now);
                if (old == null || acquired != null) {
                    Entry mine = Objects.requireNonNull(acquired);
                    claim.set(new Claim.Acquired(mine.lease(), mine.steps()));
                    return mine;
                }
                claim.set(refusal(old, request, now));
                return old;
            });
            return Objects.requireNonNull(claim.get());
        });
    }

    /** The entry in the hands of this request, or {@code null} if something stands against it. */
    private @Nullable Entry acquire(@Nullable Entry old, ClaimRequest request, Instant now) {
        if (old == null || old.isFree(now)) {
            return Entry.claimed(request, lastToken.incrementAndGet(), now);
        }
        if (old.nonce().equals(request.nonce()) && old.isPending()) {
            return old;
        }
        if (old.state(now) == KeyState.LAPSED
                && request.takeOver()
                && old.fingerprint().matches(request.fingerprint())) {
            return old.takenOver(request, lastToken.incrementAndGet(), now);
        }
        return null;
    }

    private static Claim refusal(Entry entry, ClaimRequest request, Instant now) {
        KeyState state = entry.state(now);
        if (state == KeyState.EXPIRED) {
            return new Claim.Expired();
        }
        if (!entry.fingerprint().matches(request.fingerprint())) {
            return new Claim.Mismatch();
        }
        Settlement settlement = entry.settlement();
        if (settlement != null) {
            return new Claim.Settled(
                    settlement.outcome(),
                    settlement.settledAt(),
                    settlement.expiresAt(),
                    entry.token(),
                    entry.traceId());
        }
        if (state == KeyState.PENDING) {
            return new Claim.InFlight(
                    Duration.between(entry.claimedAt(), now), Duration.between(now, entry.leaseUntil()));
        }
        return new Claim.Unknown();
    }

    private void makeRoom(KeyDigest digest) {
        if (entries.size() < maxKeys || entries.containsKey(digest)) {
            return;
        }
        if (purgeNow(maxKeys).removed() == 0) {
            throw new StoreException(
                    "the in-memory store is full: it holds " + maxKeys + " keys within their retention;"
                            + " allow it more keys, shorten the retention, or use a database",
                    null);
        }
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return answer(() -> write(
                lease,
                entry -> true,
                entry -> entry.settlement() != null
                        ? entry
                        : entry.settled(requireRoom(outcome), retention, clock.instant())));
    }

    private Outcome requireRoom(Outcome outcome) {
        byte[] payload = outcome.payload();
        if (payload != null && payload.length > 0 && bytes.get() + payload.length > maxBytes) {
            throw new PayloadTooLargeException(payload.length, Math.max(0, maxBytes - bytes.get()));
        }
        return outcome;
    }

    @Override
    public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        return answer(() -> {
            Set<Lease> held = new HashSet<>();
            for (Renewal renewal : renewals) {
                if (write(
                        renewal.lease(),
                        Entry::isPending,
                        entry -> entry.renewed(renewal.duration(), clock.instant()))) {
                    held.add(renewal.lease());
                }
            }
            return held;
        });
    }

    @Override
    public CompletionStage<Boolean> release(Lease lease) {
        return answer(() -> write(lease, Entry::isUnsettled, entry -> null));
    }

    @Override
    public CompletionStage<Boolean> abandon(Lease lease) {
        return answer(() -> write(
                lease,
                Entry::isUnsettled,
                entry -> entry.held() ? entry : entry.marked(clock.instant(), "nobody can tell what happened")));
    }

    @Override
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return answer(() -> write(
                lease,
                Entry::isPending,
                entry -> entry.steps().containsKey(name) ? entry : entry.withStep(name, requireRoom(result))));
    }

    private byte[] requireRoom(byte[] result) {
        if (bytes.get() + result.length > maxBytes) {
            throw new StoreException(
                    "no room for a step result of " + result.length + " bytes: the in-memory store holds " + bytes.get()
                            + " of " + maxBytes,
                    null);
        }
        return result;
    }

    @Override
    public CompletionStage<Purged> purge(int limit) {
        return answer(() -> purgeNow(limit));
    }

    private Purged purgeNow(int limit) {
        Instant now = clock.instant();
        long removed = 0;
        for (KeyDigest digest : entries.keySet()) {
            if (removed == limit) {
                return new Purged(removed, true);
            }
            if (changeIf(digest, entry -> entry.isPurgeable(now), entry -> null)) {
                removed++;
            }
        }
        return new Purged(removed, false);
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return answer(() -> Optional.ofNullable(entries.get(digest)).map(entry -> entry.toRecord(clock.instant())));
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return answer(() -> Inspection.page(entries.values(), query, clock.instant()));
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return answer(() -> Inspection.statistics(entries.values(), bytes.get(), clock.instant()));
    }

    @Override
    public CompletionStage<Instant> now() {
        return answer(clock::instant);
    }

    @Override
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        return answer(() -> {
            Instant now = clock.instant();
            return changeIf(
                    digest,
                    entry -> entry.token() == token && entry.isResolvable(now),
                    entry -> resolved(entry, resolution, now, reason));
        });
    }

    @Override
    public CompletionStage<Boolean> erase(KeyDigest digest, long token) {
        return answer(
                () -> changeIf(digest, entry -> entry.token() == token && entry.settlement() != null, entry -> null));
    }

    @Override
    public CompletionStage<Boolean> noteErasure(ErasureNote note) {
        return CompletableFuture.completedStage(false);
    }

    private static @Nullable Entry resolved(Entry entry, Resolution resolution, Instant now, String reason) {
        if (resolution instanceof Resolution.Settle settle) {
            return entry.resolved(settle.outcome(), now, reason);
        }
        if (resolution instanceof Resolution.Forget) {
            return null;
        }
        return entry.held() ? entry : entry.marked(now, reason);
    }

    @Override
    public CompletionStage<Boolean> importRecord(KeyRecord record, Instant asOf) {
        Importing.requireImportable(record);
        return answer(() -> {
            makeRoom(record.key().digest());
            lastToken.accumulateAndGet(record.token(), Math::max);
            if (record.outcome() != null) {
                requireRoom(record.outcome());
            }
            AtomicBoolean imported = new AtomicBoolean();
            change(record.key().digest(), old -> {
                Instant now = clock.instant();
                boolean unknown = old == null || (old.isFree(now) && old.token() < record.token());
                imported.set(old == null || unknown || old.isImported(record, now));
                return old == null || unknown ? Entry.imported(record, Duration.between(asOf, now)) : old;
            });
            return imported.get();
        });
    }

    /** Does nothing: there is nothing but memory to free, and other holders of this store may go on using it. */
    @Override
    public void close() {}

    /** Changes the entry if this lease owns it and it is in a state that allows the change. */
    private boolean write(Lease lease, Predicate<Entry> allowed, Function<Entry, @Nullable Entry> change) {
        return changeIf(lease.digest(), entry -> entry.isOwnedBy(lease) && allowed.test(entry), change);
    }

    private boolean changeIf(KeyDigest digest, Predicate<Entry> condition, Function<Entry, @Nullable Entry> change) {
        AtomicBoolean changed = new AtomicBoolean();
        change(digest, entry -> {
            changed.set(entry != null && condition.test(entry));
            return entry != null && changed.get() ? change.apply(entry) : entry;
        });
        return changed.get();
    }

    /** The one place where an entry changes: atomically per key. */
    private void change(KeyDigest digest, Function<@Nullable Entry, @Nullable Entry> change) {
        entries.compute(digest, (same, before) -> {
            Entry after = change.apply(before);
            bytes.addAndGet((after == null ? 0 : after.weight()) - (before == null ? 0 : before.weight()));
            return after;
        });
    }

    private static <T> CompletionStage<T> answer(Supplier<T> call) {
        try {
            return CompletableFuture.completedFuture(call.get());
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Makes an {@link InMemoryKeyStore}. */
    public static final class Builder {

        private InstantSource clock = InstantSource.system();
        private int maxKeys = 1_000_000;
        private long maxBytes = 256L << 20;

        private Builder() {}

        /** The store's clock, which decides leases and expiry. */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        public Builder maxKeys(int maxKeys) {
            this.maxKeys = maxKeys;
            return this;
        }

        /** The most that payloads and step results may weigh together. */
        public Builder maxBytes(long maxBytes) {
            this.maxBytes = maxBytes;
            return this;
        }

        public InMemoryKeyStore build() {
            if (maxKeys < 1 || maxBytes < 0) {
                throw new IllegalArgumentException("the in-memory store needs room for at least 1 key and 0 bytes, got "
                        + maxKeys + " keys and " + maxBytes + " bytes");
            }
            return new InMemoryKeyStore(this);
        }
    }
}
