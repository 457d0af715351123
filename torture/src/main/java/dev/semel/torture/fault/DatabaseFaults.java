package dev.semel.torture.fault;

import dev.semel.torture.database.Database;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.process.Processes;
import dev.semel.torture.server.Node;
import dev.semel.torture.wire.DatabaseWire;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What happens to the database, and between it and the nodes. */
public record DatabaseFaults(TorturePlan plan, Database database, List<Node> nodes) {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ONE_LONG_STALL_IN = 8;
    private static final List<String> ACKNOWLEDGED_TO_PEERS = List.of("INSERT", "UPDATE");

    public Map<FaultKind, InjectedFault> all() {
        Map<FaultKind, InjectedFault> faults = new EnumMap<>(FaultKind.class);
        faults.put(FaultKind.ACK_LOST, this::loseAcknowledgement);
        faults.put(FaultKind.PARTITION, this::partition);
        faults.put(FaultKind.RESTART, database::restart);
        faults.put(FaultKind.FAILOVER, database::failOver);
        faults.put(FaultKind.STALL, this::stall);
        faults.put(FaultKind.THROTTLE, this::throttle);
        faults.put(FaultKind.SLOW_COMMIT, this::delayCommit);
        return faults;
    }

    private DatabaseWire anyWire(Random random) {
        return Objects.requireNonNull(nodes.get(random.nextInt(nodes.size())).wire());
    }

    private String loseAcknowledgement(Random random) throws InterruptedException {
        List<String> acknowledged = plan.isSemel() ? plan.store().acknowledged() : ACKNOWLEDGED_TO_PEERS;
        String word = acknowledged.get(random.nextInt(acknowledged.size()));
        boolean silently = random.nextInt(5) == 0;
        boolean lost = anyWire(random).loseAcknowledgement(word, silently, Duration.ofSeconds(1));
        if (lost && silently) {
            // Until the node gives the connection up.
            TimeUnit.SECONDS.sleep(3);
        }
        return lost ? "of " + word.replace("_", "") + (silently ? ", silently" : ", connection closed") : "";
    }

    private String partition(Random random) throws InterruptedException {
        Duration time = Duration.ofMillis(300 + random.nextInt(3_500));
        DatabaseWire wire = anyWire(random);
        int variant = random.nextInt(3);
        switch (variant) {
            case 0 -> wire.cut(time);
            case 1 -> wire.freeze(time);
            default -> wire.slow(time);
        }
        TimeUnit.MILLISECONDS.sleep(time.toMillis());
        return List.of("cut", "frozen", "slowed").get(variant);
    }

    /** The processes stand still, or, where there are none to be stopped, all that is on the way to them. */
    private String stall(Random random) throws Exception {
        boolean isLong = isForAMinute(plan.duration(), random);
        Duration time = isLong ? MINUTE : plan.lease().plusMillis(random.nextInt(2_000));
        List<ProcessHandle> processes = database.processes();
        if (processes.isEmpty()) {
            nodes.forEach(node -> Objects.requireNonNull(node.wire()).freeze(time));
        }
        Processes.suspend(processes);
        TimeUnit.MILLISECONDS.sleep(time.toMillis());
        Processes.resume(processes);
        return isLong ? "for a minute" : "past the lease";
    }

    /** Now and then in a run that is long enough for it. */
    static boolean isForAMinute(Duration run, Random random) {
        return run.compareTo(MINUTE.multipliedBy(3)) >= 0 && random.nextInt(ONE_LONG_STALL_IN) == 0;
    }

    private String throttle(Random random) throws InterruptedException {
        Duration time = Duration.ofMillis(500 + random.nextInt(3_000));
        nodes.forEach(node -> Objects.requireNonNull(node.wire()).throttle(time));
        TimeUnit.MILLISECONDS.sleep(time.toMillis());
        return "every other request";
    }

    private String delayCommit(Random random) throws InterruptedException {
        boolean delayed =
                anyWire(random).delay("COMMIT", plan.lease().plusMillis(random.nextInt(1_000)), Duration.ofSeconds(1));
        return delayed ? "past the lease" : "";
    }

    /** Undoes what may still be broken. */
    public void heal() throws Exception {
        for (Node node : nodes) {
            DatabaseWire wire = node.wire();
            if (wire != null) {
                wire.heal();
            }
        }
        database.heal();
    }
}
