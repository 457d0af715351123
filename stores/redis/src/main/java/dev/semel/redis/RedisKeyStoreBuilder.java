package dev.semel.redis;

import dev.semel.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a {@link RedisKeyStore}. */
public final class RedisKeyStoreBuilder {

    private static final Logger log = LoggerFactory.getLogger(RedisKeyStore.class);
    private static final int MAX_REPLICAS = 100;
    static final int QUEUE_LIMIT = 10_000;

    private final RedisUrl url;
    private String prefix;
    private boolean setUpIfEmpty;
    private int replicas;
    private Duration timeout = Duration.ofSeconds(5);
    private int queueLimit = QUEUE_LIMIT;
    private boolean functions = true;

    RedisKeyStoreBuilder(String url) {
        this.url = RedisUrl.parse(url);
        this.prefix = this.url.options().getOrDefault("prefix", "semel");
        this.setUpIfEmpty = Boolean.parseBoolean(this.url.options().get("setUp"));
        this.replicas = Integer.parseInt(this.url.options().getOrDefault("replicas", "0"));
    }

    /** What the names of this store's data in Redis begin with, {@code semel} by default: one prefix, one store. */
    public RedisKeyStoreBuilder prefix(String prefix) {
        this.prefix = prefix;
        return this;
    }

    /**
     * Whether to set the store up if Redis holds none, {@code false} by default. A Redis that has lost everything looks
     * like one that is new: leave this on only where that does no harm, or for the first start.
     */
    public RedisKeyStoreBuilder setUpIfEmpty(boolean setUpIfEmpty) {
        this.setUpIfEmpty = setUpIfEmpty;
        return this;
    }

    /**
     * How many replicas must have a write before it counts, 0 by default. With fewer than a master has, a failover can
     * make one its successor that lacks the last writes that were acknowledged; the store notices and refuses claims.
     */
    public RedisKeyStoreBuilder replicas(int replicas) {
        this.replicas = replicas;
        return this;
    }

    /** How long a call may take, 5 seconds by default: its wait for its turn, and that for the answer of Redis. */
    public RedisKeyStoreBuilder timeout(Duration timeout) {
        this.timeout = timeout;
        return this;
    }

    /**
     * How many calls of one kind may wait for their turn, 10,000 by default. The next one fails at once, and claims already
     * when half of the room is taken, so that there is some for the outcomes of those before them.
     */
    public RedisKeyStoreBuilder queueLimit(int limit) {
        this.queueLimit = limit;
        return this;
    }

    /** Whether functions may be used where the servers know them; scripts otherwise. */
    RedisKeyStoreBuilder functions(boolean functions) {
        this.functions = functions;
        return this;
    }

    /** Connects, and waits until that is done. Throws a {@link StoreException} if Redis cannot be reached. */
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
            await(memory.open(setUpIfEmpty));
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
        return future.orTimeout(2 * timeout.toMillis(), TimeUnit.MILLISECONDS).join();
    }
}
