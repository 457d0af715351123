package dev.semel.cli.plan;

import dev.semel.gateway.StoreUrls;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The resources for a rate of requests, computed from the measured cost of one request.
 *
 * @param rate requests with a key per second
 * @param retention how long a settled key is kept
 * @param response bytes of an average response
 */
record CapacityPlan(int rate, Duration retention, long response, MeasuredFigures figures) {

    /** Half of every processor is left free, for peaks and for what was not measured. */
    static final double BUSY = 0.5;

    static final int CORES_OF_A_GATEWAY = 2;

    /** At least two gateways, so that one may fail. */
    static final int FEWEST_GATEWAYS = 2;

    /** From how many keys on PostgreSQL should keep them in generations: deleting row by row is what costs most there. */
    static final long MANY_KEYS = 10_000_000;

    /** A page of an index, which PostgreSQL logs whole when it is first written to after a checkpoint. */
    static final int PAGE = 8192;

    /** The default {@code checkpoint_timeout} of PostgreSQL. */
    static final Duration CHECKPOINT = Duration.ofMinutes(5);

    /** The default {@code max_wal_size} of PostgreSQL. */
    static final long LEAST_WAL_SIZE = 1 << 30;

    /** The limit of a single server; beyond it, the plan advises to spread keys over several. */
    static final int MOST_CORES = 16;

    static final int FEWEST_PRIMARIES = 3;

    /** The store keeps keys in so many buckets, each of which belongs to one primary. */
    static final int MOST_PRIMARIES = 16;

    private static final double NANOS = 1e9;

    enum Store {
        POSTGRES,
        REDIS;

        private String figure(String name) {
            return (this == POSTGRES ? "postgres." : "redis.") + name;
        }
    }

    /** One way to keep the keys: in which store, and whether responses are compressed. */
    record Choice(Store store, boolean compressed) {

        private String way() {
            return compressed ? ".compressed" : "";
        }
    }

    /** Keys that are kept: those that are settled within one retention. */
    double keys() {
        return (double) rate * retention.toSeconds();
    }

    boolean generations() {
        return keys() >= MANY_KEYS;
    }

    /** A generation takes keys for half of a retention, and is emptied when its last key has ended. */
    Duration generation() {
        return Duration.ofSeconds(Math.max(1, retention.toSeconds() / 2));
    }

    /** The most keys that the store holds at a time. */
    double mostKeys(Store store) {
        return store == Store.POSTGRES && generations()
                ? keys() + (double) rate * generation().toSeconds()
                : keys();
    }

    double bytesPerKey(Choice choice) {
        return figures.at(choice.store().figure("bytes"), response, choice.way());
    }

    private double bytes(Choice choice) {
        return mostKeys(choice.store()) * bytesPerKey(choice);
    }

    /** With indexes. Redis keeps a log of what is in its memory, and rewrites it when it has doubled. */
    double disk(Choice choice) {
        return choice.store() == Store.POSTGRES ? bytes(choice) : 2 * bytes(choice);
    }

    /** Of all primaries together. A claim looks up a random key, so PostgreSQL should have all of the index in memory. */
    double memory(Choice choice) {
        return choice.store() == Store.POSTGRES ? mostKeys(Store.POSTGRES) * indexPerKey() : bytes(choice);
    }

    double logPerRequest(Choice choice) {
        return figures.at(choice.store().figure("log"), response, choice.way());
    }

    double logPerSecond(Choice choice) {
        return rate * logPerRequest(choice);
    }

    /** When every claim is also the first since a checkpoint in its page of the index, as in a table of very many keys. */
    double mostLogPerSecond(Choice choice) {
        return logPerSecond(choice) + (choice.store() == Store.POSTGRES ? (double) rate * PAGE : 0);
    }

    /** PostgreSQL begins a checkpoint before its time when somewhat more than half of it has been written. */
    double maxWalSize(Choice choice) {
        return Math.max(LEAST_WAL_SIZE, 2 * mostLogPerSecond(choice) * CHECKPOINT.toSeconds());
    }

    double indexPerKey() {
        return figures.number("postgres.index");
    }

    /** Microseconds of the servers that accept writes. */
    double serverMicros(Choice choice) {
        return figures.at(choice.store().figure("cpu"), response, choice.way()) / 1000;
    }

    /** Cores of the one PostgreSQL, or primaries of Redis, which use one core each. */
    int serverCores(Choice choice) {
        int needed = cores(serverMicros(choice));
        return Math.max(needed, choice.store() == Store.POSTGRES ? CORES_OF_A_GATEWAY : FEWEST_PRIMARIES);
    }

    double gatewayMicros(Choice choice) {
        return figures.at("gateway." + choice.store().figure("cpu"), response, choice.way()) / 1000;
    }

    int gateways(Choice choice) {
        return Math.max(FEWEST_GATEWAYS, (int) Math.ceil((double) cores(gatewayMicros(choice)) / CORES_OF_A_GATEWAY));
    }

    private int cores(double micros) {
        return (int) Math.ceil(rate * micros * 1000 / NANOS / BUSY);
    }

    int connections(Choice choice) {
        double each = choice.store() == Store.POSTGRES ? StoreUrls.POOL_SIZE : figures.number("redis.connections");
        return (int) Math.ceil(gateways(choice) * each);
    }

    double gatewayMemory() {
        return figures.number("gateway.memory");
    }

    /** The simplest store that can handle the load; {@code null} if none of the measured stores can. */
    @Nullable
    Choice advice() {
        for (Store store : Store.values()) {
            Choice choice = new Choice(store, false);
            if (serverCores(choice) <= (store == Store.POSTGRES ? MOST_CORES : MOST_PRIMARIES)) {
                return choice;
            }
        }
        return null;
    }
}
