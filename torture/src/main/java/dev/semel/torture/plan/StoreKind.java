package dev.semel.torture.plan;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Where keys are kept. */
public enum StoreKind {
    POSTGRES("_claim", "_settle", "COMMIT"),
    /** With a table that keeps generations. */
    POSTGRES_GENERATIONS("_claim", "_settle", "COMMIT"),
    /** PostgreSQL behind a pooler that gives each transaction another session. */
    PGBOUNCER("_claim", "_settle", "COMMIT"),
    /** Three servers, of which Patroni chooses the one that leads. */
    PATRONI("_claim", "_settle", "COMMIT"),
    MARIADB("INSERT", "UPDATE", "COMMIT"),
    MYSQL("INSERT", "UPDATE", "COMMIT"),
    /** Three MariaDB servers that all accept writes. */
    GALERA("INSERT", "UPDATE", "COMMIT"),
    SQLITE,
    REDIS("batch"),
    REDIS_SENTINEL,
    REDIS_CLUSTER,
    DYNAMODB("PutItem", "UpdateItem"),
    CASSANDRA,
    /** The names of the store's keys are all that can be read of its transactions. */
    ETCD("semel/key/");

    private static final Set<StoreKind> REDIS_SERVERS = Set.of(REDIS, REDIS_SENTINEL, REDIS_CLUSTER);
    private static final Set<StoreKind> OTHERS = Set.of(DYNAMODB, CASSANDRA, ETCD);

    private static final Set<StoreKind> INNODB = Set.of(MARIADB, MYSQL, GALERA);

    private final List<String> acknowledged;

    StoreKind(String... acknowledged) {
        this.acknowledged = List.of(acknowledged);
    }

    public static StoreKind named(String name) {
        return Arrays.stream(values())
                .filter(store -> store.toString().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("there is no store " + name + "; there are " + names()));
    }

    static String names() {
        return Arrays.stream(values()).map(StoreKind::toString).collect(Collectors.joining(", "));
    }

    /** What the commands contain whose answers can be lost on the way: those of claims, outcomes and transactions. */
    public List<String> acknowledged() {
        return acknowledged;
    }

    /** How many requests per second leave it room: DynamoDB Local works with one thread, and real DynamoDB is not here. */
    public int usualRate() {
        return this == DYNAMODB ? 40 : 300;
    }

    /** Whether it keeps a large outcome in several pieces, which are written one by one. */
    public boolean splitsOutcomes() {
        return this == DYNAMODB;
    }

    public boolean isPostgres() {
        return this == POSTGRES || this == POSTGRES_GENERATIONS || this == PGBOUNCER;
    }

    /** By how much the clocks may differ that decide when a key has expired. */
    public Duration clockSkew() {
        return OTHERS.contains(this) ? Duration.ofSeconds(2) : Duration.ZERO;
    }

    boolean isSql() {
        return !REDIS_SERVERS.contains(this) && !OTHERS.contains(this);
    }

    /** Whether an outcome can be settled in a transaction of the application. */
    boolean joinsTransactions() {
        return isSql() && this != SQLITE;
    }

    /** Whether each node has a wire of its own to the servers, which can be broken. */
    boolean hasWires() {
        return !acknowledged.isEmpty();
    }

    /** Whether there are processes that can be killed. */
    boolean hasServers() {
        return this != SQLITE && this != DYNAMODB;
    }

    /** Whether it is one server or file that can be put back to an older state, and is noticed then. */
    boolean noticesRestores() {
        return isPostgres() || this == MARIADB || this == MYSQL || this == SQLITE || this == REDIS;
    }

    /** Whether no claim is let through from when a restore was noticed; otherwise only those of keys that were affected. */
    public boolean refusesAllAfterRestore() {
        return isSql();
    }

    /** Whether each commit waits for another server, which only takes over on request. */
    boolean hasStandby() {
        return this == POSTGRES || this == POSTGRES_GENERATIONS;
    }

    /** Whether a server takes over when the one that leads is gone. */
    boolean failsOver() {
        return hasStandby()
                || this == PATRONI
                || this == GALERA
                || this == REDIS_SENTINEL
                || this == REDIS_CLUSTER
                || this == ETCD;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether a transaction may lock the place of a key that does not exist yet, next to one of its own. */
    public boolean locksNeighbours() {
        return INNODB.contains(this);
    }
}
