package dev.semel.redis;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.policy.Retention;
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
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import dev.semel.util.Micros;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in Redis or Valkey: a single server, Sentinel, or Cluster.
 *
 * <p>New claims and the writes of an owner are one function that runs inside Redis, atomically, by the clock of that
 * server. All other changes of a key are decided on the record that this function has read, and written if the record
 * is still the same. All calls share a few connections to each server, and pipeline by themselves.
 *
 * <p>Redis can lose data: when it is flushed, evicts keys, restarts without its latest data, or promotes a replica that
 * lacks some of it. The store notices, and refuses claims with a {@link MemoryLostException} until the loss is
 * {@linkplain #acknowledgeLoss acknowledged}.
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
     * prefix}, {@code createIfMissing=true} and {@code replicas}: see the {@link Builder}.
     */
    public static RedisKeyStore connect(String url) {
        return builder(url).build();
    }

    public static Builder builder(String url) {
        return new Builder(url);
    }

    /** Descriptions of the server settings that can make Redis forget keys. */
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public CompletionStage<Claim> claim(ClaimRequest request) {
        Transition<Claim> call = (key, moment, newToken) -> KeyLife.claim(key, request, moment, newToken.getAsLong());
        return underWay.track(() -> decide(request.key().digest(), () -> batches.claim(request), call, MAX_TRIES));
    }

    @Override
    protected <A> CompletionStage<A> change(KeyDigest digest, Transition<A> call) {
        return underWay.track(() -> decide(digest, () -> batches.find(digest, true), call, MAX_TRIES));
    }

    /** Decides a call on the record that is found; once more if the record has changed by the time it is written. */
    private <A> CompletionStage<A> decide(
            KeyDigest digest, Supplier<CompletionStage<Reply>> find, Transition<A> call, int tries) {
        return ForwardedCall.compose(find.get(), found -> {
            Moment moment = Moment.of(Micros.toInstant(found.now()));
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
                        .map(key -> key.toRecord(Moment.of(Micros.toInstant(found.now()))))));
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
     * Acknowledges that Redis has lost keys, so that every node accepts claims again. The data that Redis still has
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

    /** Builds a {@link RedisKeyStore}. */
    public static final class Builder {

        private static final Logger log = LoggerFactory.getLogger(RedisKeyStore.class);
        private static final int MAX_REPLICAS = 100;
        static final int QUEUE_LIMIT = 10_000;

        private final RedisUrl url;
        private String prefix;
        private boolean createIfMissing;
        private int replicas;
        private Duration timeout = Duration.ofSeconds(5);
        private int queueLimit = QUEUE_LIMIT;
        private boolean functions = true;

        Builder(String url) {
            this.url = RedisUrl.parse(url);
            this.prefix = this.url.options().getOrDefault("prefix", "semel");
            this.createIfMissing = Boolean.parseBoolean(this.url.options().get("createIfMissing"));
            this.replicas = Integer.parseInt(this.url.options().getOrDefault("replicas", "0"));
        }

        /** The prefix of this store's data in Redis, {@code semel} by default. Each prefix is a separate store. */
        public Builder prefix(String prefix) {
            this.prefix = prefix;
            return this;
        }

        /**
         * Sets the store up if it does not exist in Redis. A Redis that has lost everything looks like a new one: use
         * this only if that does no harm, or for the first start.
         */
        public Builder createIfMissing() {
            return createIfMissing(true);
        }

        /** Whether to set the store up if it does not exist in Redis. Overrides the URL. */
        public Builder createIfMissing(boolean createIfMissing) {
            this.createIfMissing = createIfMissing;
            return this;
        }

        /**
         * How many replicas must confirm a write, 0 by default. If the master has more replicas than that, a failover
         * can promote one that lacks the last acknowledged writes; the store notices this and refuses claims.
         */
        public Builder replicas(int replicas) {
            this.replicas = replicas;
            return this;
        }

        /** How long a call may take, 5 seconds by default: the time in the queue and the time until Redis answers. */
        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /**
         * How many calls of one kind may wait for their turn, 10,000 by default. Further calls fail immediately. Claims
         * may only use half of the queue, which leaves room for the outcomes of earlier claims.
         */
        public Builder queueLimit(int limit) {
            this.queueLimit = limit;
            return this;
        }

        /** Whether to use functions if the servers support them; otherwise scripts are used. */
        Builder functions(boolean functions) {
            this.functions = functions;
            return this;
        }

        /** Connects, and waits for the connection. Throws a {@link StoreException} if Redis cannot be reached. */
        public RedisKeyStore build() {
            if (replicas < 0 || replicas > MAX_REPLICAS) {
                throw new IllegalArgumentException(
                        "the number of replicas must be between 0 and " + MAX_REPLICAS + ", got " + replicas);
            }
            if (timeout.compareTo(Duration.ofMillis(10)) < 0) {
                throw new IllegalArgumentException("the timeout must be at least 10 ms, got " + timeout);
            }
            if (queueLimit < 1) {
                throw new IllegalArgumentException("the queue limit must be at least 1, got " + queueLimit);
            }
            Names names = new Names(prefix);
            try {
                return open(names, Server.connect(url, timeout));
            } catch (RuntimeException e) {
                throw Failures.wrap(e);
            }
        }

        private RedisKeyStore open(Names names, Server server) {
            try {
                // Half of the time for the replicas leaves the other half for the call itself.
                Scripts scripts = new Scripts(server, names, replicas, timeout.dividedBy(2), new AtomicBoolean());
                if (functions) {
                    await(scripts.loadLibrary());
                }
                Memory memory = new Memory(scripts, prefix);
                await(memory.open(createIfMissing));
                List<String> warnings = await(new HealthCheck(replicas).run(server));
                warnings.forEach(warning -> log.warn("Redis can forget keys: {}", warning));
                Batches batches = new Batches(scripts, memory, queueLimit, timeout);
                return new RedisKeyStore(server, memory, batches, new Buckets(scripts), warnings, timeout);
            } catch (RuntimeException e) {
                server.close();
                throw e;
            }
        }

        private <T> T await(CompletionStage<T> stage) {
            CompletableFuture<T> future = stage.toCompletableFuture();
            return future.orTimeout(2 * timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
    }
}
