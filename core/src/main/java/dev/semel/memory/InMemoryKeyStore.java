package dev.semel.memory;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.Erasing;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Purging;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.KeyCount;
import dev.semel.spi.life.KeyLife;
import dev.semel.spi.life.KeyLifeStore;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import dev.semel.store.PayloadTooLargeException;
import dev.semel.store.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in the memory of one process, complete but not durable: for tests, and where losing all keys with the process
 * is acceptable.
 *
 * <p>Memory is bounded. When it holds as many keys as it may and none can be purged, it refuses new claims; when
 * payloads weigh as much as they may, outcomes are kept without their payload. It never forgets a key early.
 */
public final class InMemoryKeyStore extends KeyLifeStore
        implements KeyStore, Purging, Inspecting, DecisionLog, StepRecording, Importing, Erasing {

    /** Each is a {@link StoredKey}, or a {@link PackedKey} if it is settled. */
    private final ConcurrentHashMap<KeyDigest, Object> keys = new ConcurrentHashMap<>();

    private final AtomicLong lastToken = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final DecisionList decisions;
    private final InstantSource clock;
    private final int maxKeys;
    private final long maxBytes;

    private InMemoryKeyStore(Builder builder) {
        this.clock = builder.clock;
        this.decisions = new DecisionList(clock);
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
        return inRoomFor(request.key().digest(), () -> super.claim(request));
    }

    @Override
    public CompletionStage<Boolean> importRecord(KeyRecord record, Instant asOf) {
        Importing.requireImportable(record);
        lastToken.accumulateAndGet(record.token(), Math::max);
        return inRoomFor(record.key().digest(), () -> super.importRecord(record, asOf));
    }

    @Override
    protected <A> CompletionStage<A> change(KeyDigest digest, Transition<A> call) {
        return answer(() -> changeNow(digest, call));
    }

    private <A> A changeNow(KeyDigest digest, Transition<A> call) {
        AtomicReference<@Nullable A> answer = new AtomicReference<>();
        keys.compute(digest, (same, held) -> {
            StoredKey before = PackedKey.unpack(held);
            Change<A> change = call.on(before, moment(), lastToken::incrementAndGet);
            answer.set(change.answer());
            if (!change.changed()) {
                return held;
            }
            requireRoom(before, change.next());
            bytes.addAndGet(weight(change.next()) - weight(before));
            return PackedKey.pack(change.next());
        });
        return Objects.requireNonNull(answer.get());
    }

    /** Refuses a change if there is no room for its outcome or step. */
    private void requireRoom(@Nullable StoredKey before, @Nullable StoredKey next) {
        long more = weight(next) - weight(before);
        if (next == null || more <= 0 || bytes.get() + more <= maxBytes) {
            return;
        }
        if (next.outcome() != null) {
            throw new PayloadTooLargeException(payload(next), Math.max(0, maxBytes - bytes.get()));
        }
        throw new StoreException(
                "no room for a step result of " + more + " bytes: the in-memory store holds " + bytes.get() + " of "
                        + maxBytes,
                null);
    }

    /** The size of the parts of a key that callers can make large. */
    private static long weight(@Nullable StoredKey key) {
        return key == null ? 0 : payload(key) + key.stepBytes();
    }

    private static int payload(StoredKey key) {
        Outcome outcome = key.outcome();
        byte[] payload = outcome == null ? null : outcome.payload();
        return payload == null ? 0 : payload.length;
    }

    @Override
    public CompletionStage<Purged> purge(int limit) {
        return answer(() -> purgeNow(limit));
    }

    private Purged purgeNow(int limit) {
        long removed = 0;
        Moment now = moment();
        for (Map.Entry<KeyDigest, Object> held : keys.entrySet()) {
            if (removed == limit) {
                return new Purged(removed, true);
            }
            if (!PackedKey.isNeeded(held.getValue(), now)
                    && changeNow(held.getKey(), (key, moment, newToken) -> KeyLife.purge(key, moment))) {
                removed++;
            }
        }
        return new Purged(removed, false);
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return answer(
                () -> Optional.ofNullable(PackedKey.unpack(keys.get(digest))).map(key -> key.toRecord(moment())));
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return answer(() -> {
            Moment moment = moment();
            KeyDigest after = query.cursor() == null ? null : KeyDigest.parse(query.cursor());
            List<KeyRecord> records = keys.entrySet().stream()
                    .filter(held -> after == null || held.getKey().compareTo(after) > 0)
                    .map(held -> Objects.requireNonNull(PackedKey.unpack(held.getValue()))
                            .toRecord(moment))
                    .filter(query::matches)
                    .sorted(Comparator.comparing(found -> found.key().digest()))
                    .limit(query.limit())
                    .toList();
            boolean full = records.size() == query.limit();
            return new KeyPage(
                    records,
                    full ? records.get(records.size() - 1).key().digest().toString() : null);
        });
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return answer(() -> {
            KeyCount count = new KeyCount(moment());
            keys.values().forEach(held -> count.add(Objects.requireNonNull(PackedKey.unpack(held))));
            return count.statistics(true, bytes.get());
        });
    }

    @Override
    public CompletionStage<Instant> now() {
        return answer(clock::instant);
    }

    @Override
    public CompletionStage<Boolean> resolve(
            KeyDigest digest, long token, Resolution resolution, String note, Entry entry) {
        return resolve(digest, token, resolution, note).thenApply(resolved -> {
            if (resolved) {
                decisions.add(entry);
            }
            return resolved;
        });
    }

    @Override
    public CompletionStage<Void> add(Entry entry) {
        decisions.add(entry);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<List<Entry>> entries(@Nullable String subject, long before, int limit) {
        return CompletableFuture.completedFuture(decisions.entries(subject, before, limit));
    }

    /** Does nothing: there is only memory to free, and others may still use this store. */
    @Override
    public void close() {}

    private Moment moment() {
        return Moment.of(clock.instant());
    }

    private <A> CompletionStage<A> inRoomFor(KeyDigest digest, Supplier<CompletionStage<A>> call) {
        if (keys.size() >= maxKeys
                && !keys.containsKey(digest)
                && purgeNow(maxKeys).removed() == 0) {
            return CompletableFuture.failedFuture(new StoreException(
                    "the in-memory store is full: it holds " + maxKeys + " keys within their retention;"
                            + " allow it more keys, shorten the retention, or use a database",
                    null));
        }
        return call.get();
    }

    private static <A> CompletionStage<A> answer(Supplier<A> call) {
        try {
            return CompletableFuture.completedFuture(call.get());
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Builds an {@link InMemoryKeyStore}. */
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

        /** The maximum total size of payloads and step results, in bytes. */
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
