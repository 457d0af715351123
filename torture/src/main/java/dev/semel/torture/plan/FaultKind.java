package dev.semel.torture.plan;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The kinds of faults, and how often each is chosen among those of its lane. */
public enum FaultKind {
    /** A node dies, at a named point or at any moment. */
    KILL("kill", Lane.NODES, 60, false, true),
    /** A node stands still for longer than its leases, then goes on. */
    PAUSE("pause", Lane.NODES, 30, false, true),
    /** The application's clock of a node jumps by hours. */
    CLOCK("clock", Lane.NODES, 4, true, false),
    /** A node has no database connection left. */
    POOL("pool", Lane.NODES, 4, false, true),
    /** A handler runs out of memory. */
    MEMORY("memory", Lane.NODES, 4, false, false),
    /** The heartbeat does not get to renew leases. */
    HEARTBEAT("heartbeat", Lane.NODES, 5, false, true),
    /** A node is replaced by a release with another version of the fingerprint. */
    UPGRADE("upgrade", Lane.NODES, 4, false, true),

    /** The database commits, and its answer does not arrive. */
    ACK_LOST("ackLost", Lane.DATABASE, 60, true, false),
    /** Connections between a node and the database are cut, frozen or slowed. */
    PARTITION("partition", Lane.DATABASE, 25, true, true),
    /** The database server is killed and started again. */
    RESTART("restart", Lane.DATABASE, 4, true, true),
    /** The synchronous standby is promoted while the old primary still believes to be it. */
    FAILOVER("failover", Lane.DATABASE, 3, true, true),
    /** Nothing can be written to the disk any more. */
    DISK("disk", Lane.DATABASE, 3, false, true),

    /** New keys go to the next generation, and an old one is emptied. With this fault, the table keeps generations. */
    ROTATION("rotation", Lane.GENERATIONS, 1, true, false);

    /** Faults of one lane follow each other; those of different lanes overlap. */
    public enum Lane {
        NODES,
        DATABASE,
        GENERATIONS
    }

    private final String label;
    public final Lane lane;
    public final int weight;
    public final boolean needsPostgres;

    /** Whether it delays the recovery from another fault. */
    public final boolean disturbs;

    FaultKind(String label, Lane lane, int weight, boolean needsPostgres, boolean disturbs) {
        this.label = label;
        this.lane = lane;
        this.weight = weight;
        this.needsPostgres = needsPostgres;
        this.disturbs = disturbs;
    }

    /**
     * The kinds named in a list such as {@code kill,pause}; {@code all} and {@code none} are lists too. Not even
     * {@code all} has rotations, because they need another kind of table.
     */
    public static Set<FaultKind> parse(String names) {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        for (String name : names.split(",")) {
            switch (name.trim().toLowerCase(Locale.ROOT)) {
                case "all" -> kinds.addAll(EnumSet.complementOf(EnumSet.of(ROTATION)));
                case "none" -> {}
                default -> kinds.add(named(name.trim()));
            }
        }
        return kinds;
    }

    /** Whether all nodes are without the database for a while. */
    public boolean isOutage() {
        return this == RESTART || this == FAILOVER || this == DISK;
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
