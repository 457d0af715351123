package dev.semel.redis;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.store.StoreUnavailableException;
import dev.semel.redis.Lane.Reply;
import dev.semel.spi.CallsUnderWay;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardedCall;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.spi.StoreStatistics;
import dev.semel.spi.life.Change;
import dev.semel.spi.life.KeyLife;
import dev.semel.spi.life.KeyLifeStore;
import dev.semel.spi.life.Moment;
import dev.semel.spi.life.StoredKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A store in Redis or Valkey: a single server, Sentinel, or Cluster.
 *
 * <p>New claims and the writes of an owner are one function that runs inside Redis, atomically, by the clock of that server.
 * Whatever else happens to a key is decided on the record as that function found it, and written if the record is still the same.
 * All calls share a few connections to each server, and pipeline by themselves.
 *
 * <p>Redis can forget: when it is flushed, evicts keys, restarts without its latest data, or makes a replica its master
 * that did not have all of it. The store notices, and refuses claims with a {@link MemoryLostException} until the loss
 * is {@linkplain #acknowledgeLoss acknowledged}.
 */
public final class RedisKeyStore extends KeyLifeStore implements Purging, Inspecting {

    private static final int MAX_TRIES = 50;
    private final Server server;
    private final Memory memory;
    private final Batches batches;
    private final Buckets buckets;
    private final List<String> warnings;
    private final Duration timeout;
    private final CallsUnderWay underWay = new CallsUnderWay("the store in Redis", Failures::wrap);

    RedisKeyStore(
            Server server, Memory memory, Batches batches, Buckets buckets, List<String> warnings, Duration timeout) {
        this.server = server;
        this.memory = memory;
        this.batches = batches;
        this.buckets = buckets;
        this.warnings = warnings;
        this.timeout = timeout;
    }

    /**
     * Connects to the store behind a URL such as {@code redis://localhost:6379}, {@code
     * redis-sentinel://host:26379/0#name} or {@code redis-cluster://host1:6379,host2:6379}. Its query may hold {@code
     * prefix}, {@code setUp=true} and {@code replicas}: see the {@link RedisKeyStoreBuilder}.
     */
    public static RedisKeyStore connect(String url) {
        return builder(url).build();
    }

    public static RedisKeyStoreBuilder builder(String url) {
        return new RedisKeyStoreBuilder(url);
    }

    /** What was found in the configuration of the servers that can make them forget keys, in plain words. */
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        Call<Claim> call = (key, moment, newToken) -> KeyLife.claim(key, request, moment, newToken.getAsLong());
        return underWay.track(() -> decide(request.key().digest(), () -> batches.claim(request), call, MAX_TRIES));
    }

    @Override
    protected <A> CompletionStage<A> change(KeyDigest digest, Call<A> call) {
        return underWay.track(() -> decide(digest, () -> batches.find(digest, true), call, MAX_TRIES));
    }

    /** Decides a call on the record that is found; once more if the record has changed by the time it is written. */
    private <A> CompletionStage<A> decide(
            KeyDigest digest, Supplier<CompletionStage<Reply>> find, Call<A> call, int tries) {
        return ForwardedCall.compose(find.get(), found -> {
            Moment moment = Moment.of(Records.instant(found.now()));
            if (found.value() instanceof Long token) {
                // There was no record, and Redis has written one with this token.
                return CompletableFuture.completedFuture(
                        call.on(null, moment, () -> token).answer());
            }
            byte[] record = (byte[]) found.value();
            StoredKey key = Records.decode(record);
            // Only a key that is there gets a token here, and the state machine gives it a larger one than its last.
            Change<A> change = call.on(key, moment, found::now);
            if (!change.changed()) {
                return CompletableFuture.completedFuture(change.answer());
            }
            return ForwardedCall.compose(batches.swap(digest, record, key, change.next()), done -> {
                if (done) {
                    return CompletableFuture.completedFuture(change.answer());
                }
                return tries > 1
                        ? decide(digest, find, call, tries - 1)
                        : CompletableFuture.failedFuture(new StoreUnavailableException(
                                "key " + digest + " changed " + MAX_TRIES
                                        + " times while it was written; the same call can be sent again",
                                null));
            });
        });
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return underWay.track(() -> batches.settle(lease, outcome, retention));
    }

    @Override
    public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        return underWay.track(() -> ForwardedCall.map(
                Stages.all(renewals.stream().map(this::renew).toList()),
                held -> held.stream().flatMap(Optional::stream).collect(Collectors.toSet())));
    }

    private CompletionStage<Optional<Lease>> renew(Renewal renewal) {
        return ForwardedCall.map(
                batches.renew(renewal), held -> held ? Optional.of(renewal.lease()) : Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> release(Lease lease) {
        return underWay.track(() -> batches.release(lease));
    }

    @Override
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return underWay.track(() -> batches.recordStep(lease, name, result));
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return underWay.track(() -> ForwardedCall.map(
                batches.find(digest, false),
                found -> Optional.ofNullable(Records.decode((byte[]) found.value()))
                        .map(key -> key.toRecord(Moment.of(Records.instant(found.now()))))));
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return underWay.track(() -> buckets.page(query));
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return underWay.track(buckets::statistics);
    }

    @Override
    public CompletionStage<Instant> now() {
        return underWay.track(buckets::now);
    }

    /** Nodes that purge at the same time begin at different buckets. */
    @Override
    public CompletionStage<Purged> purge(int limit) {
        int first = ThreadLocalRandom.current().nextInt(Names.BUCKETS);
        return underWay.track(() -> buckets.purge(first, Names.BUCKETS, limit, new Purged(0, false)));
    }

    /**
     * Takes note that Redis has lost keys, and opens the store for claims again, on every node. What Redis still has
     * stays. An operation whose key was lost runs again when it is retried: call this when that cannot happen any more,
     * or does no harm.
     *
     * @return in how many of the store's buckets something was lost
     */
    public CompletionStage<Integer> acknowledgeLoss() {
        return underWay.track(memory::acknowledge);
    }

    @Override
    public void close() {
        underWay.close(timeout);
        batches.close();
        server.close();
    }

    /** How many calls wait to be sent. */
    int waiting() {
        return batches.waiting();
    }
}
