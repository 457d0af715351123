package dev.semel.torture.plan;

import dev.semel.torture.node.Bug;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a run is to do.
 *
 * @param duration how long there is load and faults
 * @param rate how many requests are sent per second, at most
 * @param system the system under test: {@code semel}, or one of the peers
 * @param stopEarly whether the run ends at the first violation
 */
public record TorturePlan(
        Duration duration,
        Store store,
        Set<FaultKind> faults,
        long seed,
        int nodes,
        int rate,
        Duration lease,
        String system,
        Bug bug,
        boolean stopEarly) {

    /** Where keys are kept. */
    public enum Store {
        POSTGRES,
        SQLITE;

        public static Store named(String name) {
            return Arrays.stream(values())
                    .filter(store -> store.name().equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "there is no store " + name + "; there are postgres and sqlite"));
        }
    }

    public TorturePlan {
        requireAtLeast("seconds", duration.toSeconds(), 1);
        requireAtLeast("nodes", nodes, 2);
        requireAtLeast("rate", rate, 1);
        if (store != Store.POSTGRES) {
            EnumSet<FaultKind> possible = EnumSet.noneOf(FaultKind.class);
            faults.stream().filter(kind -> !kind.needsPostgres).forEach(possible::add);
            faults = possible;
        }
        if (faults.contains(FaultKind.ROTATION) && !system.equals("semel")) {
            throw new IllegalArgumentException("only Semel has generations to rotate, not " + system);
        }
    }

    private static void requireAtLeast(String what, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(what + " must be at least " + least + ", got " + value);
        }
    }

    public boolean isPostgres() {
        return store == Store.POSTGRES;
    }

    /** Whether the table keeps generations. */
    public boolean rotates() {
        return faults.contains(FaultKind.ROTATION);
    }

    public boolean isSemel() {
        return system.equals("semel");
    }

    /** The operations that the system can run: only Semel on PostgreSQL can join transactions. */
    public List<Operation> operations() {
        if (!isSemel()) {
            return List.of(Operation.HOLD);
        }
        return isPostgres() ? List.of(Operation.values()) : List.of(Operation.HOLD, Operation.REDO, Operation.ORDER);
    }
}
