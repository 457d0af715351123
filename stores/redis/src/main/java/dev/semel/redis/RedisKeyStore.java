package dev.semel.redis;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.Retention;
import dev.semel.redis.Memory.Sighting;
import dev.semel.spi.CallsUnderWay;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Erasing;
import dev.semel.spi.ErasureNote;
import dev.semel.spi.Importing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.Purging;
import dev.semel.spi.Renewal;
import dev.semel.spi.Resolution;
import dev.semel.spi.StepRecording;
import dev.semel.spi.StoreStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A store in Redis or Valkey: a single server, Sentinel, or Cluster.
 *
 * <p>Each call is one function that runs inside Redis, atomically, by the clock of that server. All calls share a few
 * connections to each server, and pipeline by themselves.
 *
 * <p>Redis can forget: when it is flushed, evicts keys, restarts without its latest data, or makes a replica its master
 * that did not have all of it. The store notices, and refuses claims with a {@link MemoryLostException} until the loss
 * is {@linkplain #acknowledgeLoss acknowledged}.
 */
public final class RedisKeyStore implements KeyStore, Purging, Inspecting, StepRecording, Importing, Erasing {

    private final Server server;
    private final Scripts scripts;
    private final Names names;
    private final Markers markers;
    private final Vigil vigil;
    private final Batches batches;
    private final List<String> warnings;
    private final Duration timeout;
    private final CallsUnderWay underWay = new CallsUnderWay("the store in Redis", Failures::wrap);
    private final Purge purge;
    private final Pages pages;
    private final Survey survey;

    RedisKeyStore(
            Server server,
            Scripts scripts,
            Names names,
            Markers markers,
            long epoch,
            List<String> warnings,
            Duration timeout) {
        this.server = server;
        this.scripts = scripts;
        this.names = names;
        this.markers = markers;
        this.vigil = new Vigil(names.prefix(), epoch);
        this.batches = new Batches(scripts, names, vigil);
        this.warnings = warnings;
        this.timeout = timeout;
        Indexes indexes = new Indexes(scripts, names);
        this.purge = new Purge(indexes);
        this.pages = new Pages(indexes, place -> read(digest(place)));
        this.survey = new Survey(
                indexes,
                place -> scripts.run(
                        Call.GLANCE, place.bucket(), new byte[][] {names.record(digest(place))}, new Args()));
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
        return underWay.track(() -> claim(request, true));
    }

    private CompletionStage<Claim> claim(ClaimRequest request, boolean mayFollow) {
        KeyDigest digest = request.key().digest();
        int bucket = Names.bucketOf(digest);
        return batches.add('c', digest, new Args().add(request)).thenCompose(reply -> {
            if (!Vigil.isRefusal(reply)) {
                return CompletableFuture.completedFuture(Claims.read(reply, request));
            }
            return mayFollow && vigil.follows(reply)
                    ? claim(request, false)
                    : CompletableFuture.failedFuture(vigil.loss(bucket, reply));
        });
    }

    @Override
    public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
        return underWay.track(() -> batches.add('s', lease.digest(), new Args().add(lease, outcome, retention))
                .thenApply(reply -> reply.number(0) == 1));
    }

    @Override
    public CompletionStage<Set<Lease>> renew(Collection<Renewal> renewals) {
        return underWay.track(() -> Stages.all(
                        renewals.stream().map(this::renew).toList())
                .thenApply(held -> held.stream().flatMap(Optional::stream).collect(Collectors.toSet())));
    }

    private CompletionStage<Optional<Lease>> renew(Renewal renewal) {
        Lease lease = renewal.lease();
        Args args = new Args().add(lease.nonce()).add(lease.token()).add(renewal.duration());
        return scripts.run(
                        Call.RENEW, Names.bucketOf(lease.digest()), new byte[][] {names.record(lease.digest())}, args)
                .thenApply(reply -> reply.number(0) == 1 ? Optional.of(lease) : Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> release(Lease lease) {
        return underWay.track(() -> write(
                Call.RELEASE, lease.digest(), args -> args.add(lease.nonce()).add(lease.token())));
    }

    @Override
    public CompletionStage<Boolean> abandon(Lease lease) {
        return underWay.track(() -> write(
                Call.ABANDON,
                lease.digest(),
                args -> args.add(lease.nonce()).add(lease.token()).add("nobody can tell what happened")));
    }

    @Override
    public CompletionStage<Boolean> recordStep(Lease lease, String name, byte[] result) {
        return underWay.track(() -> write(
                Call.STEP,
                lease.digest(),
                args -> args.add(lease.nonce()).add(lease.token()).add(name).add(result)));
    }

    @Override
    public CompletionStage<Boolean> resolve(KeyDigest digest, long token, Resolution resolution, String reason) {
        if (resolution instanceof Resolution.Settle settle) {
            return underWay.track(() -> settle(digest, token, settle.outcome(), reason));
        }
        String decision = resolution instanceof Resolution.Forget ? "forget" : "hold";
        return underWay.track(() -> write(
                Call.RESOLVE,
                digest,
                args -> args.add(token).add(decision).add(reason).add(UUID.randomUUID())));
    }

    /** What an attempt claimed a key with never changes, so what was read for its token still holds when it is written. */
    private CompletionStage<Boolean> settle(KeyDigest digest, long token, Outcome outcome, String reason) {
        return read(digest)
                .thenCompose(found -> found.isEmpty() || found.get().token() != token
                        ? CompletableFuture.completedFuture(false)
                        : write(
                                Call.RESOLVE,
                                digest,
                                args -> args.add(token)
                                        .add("settle")
                                        .add(reason)
                                        .add(UUID.randomUUID())
                                        .add(outcome, found.get().retention())));
    }

    @Override
    public CompletionStage<Boolean> erase(KeyDigest digest, long token) {
        return underWay.track(
                () -> write(Call.RESOLVE, digest, args -> args.add(token).add("erase")));
    }

    @Override
    public CompletionStage<Boolean> noteErasure(ErasureNote note) {
        return CompletableFuture.completedStage(false);
    }

    /** A write that says whether it happened, and moves the bucket's clock if it did. */
    private CompletionStage<Boolean> write(Call call, KeyDigest digest, Consumer<Args> rest) {
        int bucket = Names.bucketOf(digest);
        Memory memory = vigil.memory();
        Args args = new Args().add(memory, bucket);
        rest.accept(args);
        return scripts.write(call, bucket, keys(digest), args).thenApply(reply -> {
            boolean happened = reply.isPacked();
            if (happened) {
                memory.saw(bucket, Sighting.read(reply.packed(0)));
            }
            return happened;
        });
    }

    @Override
    public CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return underWay.track(() -> read(digest));
    }

    private CompletionStage<Optional<KeyRecord>> read(KeyDigest digest) {
        return scripts.run(Call.FIND, Names.bucketOf(digest), new byte[][] {names.record(digest)}, new Args())
                .thenApply(Records::read);
    }

    @Override
    public CompletionStage<KeyPage> page(KeyQuery query) {
        return underWay.track(() -> pages.page(query));
    }

    @Override
    public CompletionStage<StoreStatistics> statistics() {
        return underWay.track(survey::statistics);
    }

    /** In a cluster, that of the server whose clock is furthest behind: each decides over its own keys. */
    @Override
    public CompletionStage<Instant> now() {
        return underWay.track(() -> server.masters()
                .thenCompose(masters -> Stages.all(masters.stream()
                        .map(master -> master.time().thenApply(Micros::ofTime))
                        .toList()))
                .thenApply(Collections::min));
    }

    @Override
    public CompletionStage<Purged> purge(int limit) {
        return underWay.track(() -> purge.run(limit));
    }

    @Override
    public CompletionStage<Boolean> importRecord(KeyRecord record, Instant asOf) {
        Importing.requireImportable(record);
        KeyDigest digest = record.key().digest();
        int bucket = Names.bucketOf(digest);
        Memory memory = vigil.memory();
        return underWay.track(() -> {
            Args args = new Args().add(memory, bucket).add(record, asOf);
            return scripts.write(Call.IMPORT, bucket, keys(digest), args).thenApply(reply -> {
                if (Vigil.isRefusal(reply)) {
                    throw vigil.loss(bucket, reply);
                }
                memory.saw(bucket, new Sighting(reply.number(1), reply.number(2)));
                return reply.number(3) == 1;
            });
        });
    }

    /**
     * Takes note that Redis has lost keys, and opens the store for claims again, on every node. What Redis still has
     * stays. An operation whose key was lost runs again when it is retried: call this when that cannot happen any more,
     * or does no harm.
     *
     * @return in how many of the store's buckets something was lost
     */
    public CompletionStage<Integer> acknowledgeLoss() {
        return underWay.track(() -> markers.acknowledge(vigil.memory().epoch()).thenApply(acknowledged -> {
            vigil.begin(acknowledged.epoch());
            return acknowledged.lostBuckets();
        }));
    }

    @Override
    public void close() {
        underWay.close(timeout);
        server.close();
    }

    private byte[][] keys(KeyDigest digest) {
        int bucket = Names.bucketOf(digest);
        return new byte[][] {names.record(digest), names.marker(bucket)};
    }

    private static KeyDigest digest(Place place) {
        return Objects.requireNonNull(place.digest());
    }
}
