package dev.semel.torture.plan;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/** The kinds of faults, and how often each is chosen among those of its lane. */
public enum FaultKind {
    /** A node dies, at a named point or at any moment. */
    KILL("kill", Lane.NODES, 60, any -> true, true),
    /** A node stands still for longer than its leases, then goes on. */
    PAUSE("pause", Lane.NODES, 30, any -> true, true),
    /** All nodes stand still at the same time, as when their machines are copied or moved. */
    SNAPSHOT("snapshot", Lane.NODES, 3, any -> true, true),
    /** The application's clock of a node jumps by hours. */
    CLOCK("clock", Lane.NODES, 4, store -> store != StoreKind.SQLITE, false),
    /** A node has no database connection left. */
    POOL("pool", Lane.NODES, 4, StoreKind::isSql, true),
    /** A handler runs out of memory. */
    MEMORY("memory", Lane.NODES, 4, any -> true, false),
    /** The executor of a node takes no work. */
    EXECUTOR("executor", Lane.NODES, 4, any -> true, true),
    /** The heartbeat does not get to renew leases. */
    HEARTBEAT("heartbeat", Lane.NODES, 5, any -> true, true),
    /** Renewals fail, and everything else works. */
    RENEWALS("renewals", Lane.NODES, 5, any -> true, true),
    /** A node is replaced by a release with other rules of the fingerprint, names, leases, retentions and recoveries. */
    UPGRADE("upgrade", Lane.NODES, 4, any -> true, true),

    /** The service behind a gateway dies, at any byte of its answer. */
    UPSTREAM("upstream", Lane.NODES, 30, any -> true, true),

    /** The broker is stopped and started again. */
    BROKER("broker", Lane.NODES, 4, any -> true, true),

    /** The database commits, and its answer does not arrive. */
    ACK_LOST("ackLost", Lane.DATABASE, 60, StoreKind::hasWires, false),
    /** Connections between a node and the database are cut, frozen or slowed. */
    PARTITION("partition", Lane.DATABASE, 25, StoreKind::hasWires, true),
    /** The database refuses every other request, because there are too many. */
    THROTTLE("throttle", Lane.DATABASE, 15, StoreKind.DYNAMODB::equals, true),
    /** The rows of some keys are locked by another transaction. */
    ROW_LOCK("rowLock", Lane.DATABASE, 6, StoreKind::joinsTransactions, true),
    /** The commit of a transaction takes longer than the lease. */
    SLOW_COMMIT("slowCommit", Lane.DATABASE, 6, StoreKind::joinsTransactions, true),
    /** The database stands still, and keeps its connections. */
    STALL("stall", Lane.DATABASE, 4, store -> store != StoreKind.SQLITE, true),
    /** The database server is killed and started again. */
    RESTART("restart", Lane.DATABASE, 4, StoreKind::hasServers, true),
    /** The database is put back to an older copy of itself, and a person acknowledges the loss. */
    RESTORE("restore", Lane.DATABASE, 1, StoreKind::noticesRestores, true),
    /** Another server takes over. In PostgreSQL, the old primary goes on for a while, and does not know it. */
    FAILOVER("failover", Lane.DATABASE, 3, StoreKind::failsOver, true),
    /** The synchronous standby does not answer: nothing commits. */
    STANDBY("standby", Lane.DATABASE, 3, StoreKind::hasStandby, true),
    /** Nothing can be written to the disk any more. */
    DISK("disk", Lane.DATABASE, 3, store -> store.isPostgres() || store == StoreKind.SQLITE, true),

    /** A person resolves unknown keys, truthfully. */
    OPERATOR("operator", Lane.PEOPLE, 8, any -> true, false),
    /** A person erases what is stored of a caller. */
    ERASURE("erasure", Lane.PEOPLE, 1, any -> true, false),

    /** New keys go to the next generation, and an old one is emptied. */
    ROTATION("rotation", Lane.GENERATIONS, 1, StoreKind.POSTGRES_GENERATIONS::equals, false);

    /** Faults of one lane follow each other; those of different lanes overlap. */
    public enum Lane {
        NODES,
        DATABASE,
        PEOPLE,
        GENERATIONS
    }

    /** What the service that calls the engine does to itself. */
    private static final Set<FaultKind> INSIDE = EnumSet.of(POOL, MEMORY, EXECUTOR, HEARTBEAT, RENEWALS, SLOW_COMMIT);

    private final String label;
    public final Lane lane;
    public final int weight;
    private final Predicate<StoreKind> stores;

    /** Whether it delays the recovery from another fault. */
    public final boolean disturbs;

    FaultKind(String label, Lane lane, int weight, Predicate<StoreKind> stores, boolean disturbs) {
        this.label = label;
        this.lane = lane;
        this.weight = weight;
        this.stores = stores;
        this.disturbs = disturbs;
    }

    /** The kinds named in a list such as {@code kill,pause}; {@code all} and {@code none} are lists too. */
    public static Set<FaultKind> parse(String names) {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        for (String name : names.split(",")) {
            switch (name.trim().toLowerCase(Locale.ROOT)) {
                case "all" -> kinds.addAll(EnumSet.allOf(FaultKind.class));
                case "none" -> {}
                default -> kinds.add(named(name.trim()));
            }
        }
        return kinds;
    }

    /** Whether it can happen to nodes that keep their keys there. */
    public boolean happensOn(StoreKind store) {
        return stores.test(store);
    }

    /** Whether it can happen behind that door: some are done by the node itself, and a gateway does nothing of the kind. */
    public boolean happensAt(Door door) {
        return switch (door) {
            case ENGINE -> this != UPSTREAM && this != BROKER;
            case SERVLET -> this != UPSTREAM && this != BROKER && this != EXECUTOR;
            case WEBFLUX -> this != UPSTREAM && this != BROKER && this != EXECUTOR && this != SLOW_COMMIT;
            case GATEWAY -> !INSIDE.contains(this) && this != BROKER;
            case KAFKA, SQS, RABBITMQ -> this != UPSTREAM && this != RESTORE && this != ERASURE;
        };
    }

    /** Whether nothing else is broken at the same time: nodes that die together with what they remember notice no restore. */
    public boolean isAlone() {
        return this == RESTORE;
    }

    /** Whether all nodes are without the database for a while. */
    public boolean isOutage() {
        return this == RESTART
                || this == RESTORE
                || this == FAILOVER
                || this == DISK
                || this == STALL
                || this == STANDBY;
    }

    private static FaultKind named(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.label.equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no fault " + name + "; there are all, none, " + Arrays.toString(values())));
    }

    @Override
    public String toString() {
        return label;
    }
}
