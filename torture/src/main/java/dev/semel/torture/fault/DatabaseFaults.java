package dev.semel.torture.fault;

import dev.semel.testservers.TempDirectory;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.server.DatabaseWire;
import dev.semel.torture.server.Node;
import dev.semel.torture.server.Postgres;
import dev.semel.torture.server.PostgresCluster;
import dev.semel.torture.server.Processes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What happens to PostgreSQL, and between it and the nodes. */
public record DatabaseFaults(TorturePlan plan, PostgresCluster cluster, List<Node> nodes) {

    /** What is acknowledged: claims, outcomes, one or many at a time, and business transactions; and elsewhere. */
    private static final List<String> ACKNOWLEDGED = List.of(DatabaseWire.CLAIM, "_settle", "COMMIT");

    private static final List<String> ACKNOWLEDGED_TO_PEERS = List.of("INSERT", "UPDATE");

    /** Beyond this size no file can be written: no room for tables, but for the log; or not even for that. */
    private static final List<String> DISK_LIMITS = List.of("17825792", "1048576");

    public Map<FaultKind, InjectedFault> all() {
        Map<FaultKind, InjectedFault> faults = new EnumMap<>(FaultKind.class);
        faults.put(FaultKind.ACK_LOST, this::loseAcknowledgement);
        faults.put(FaultKind.PARTITION, this::partition);
        faults.put(FaultKind.RESTART, this::restart);
        faults.put(FaultKind.FAILOVER, this::failOver);
        faults.put(FaultKind.DISK, this::fillDisk);
        return faults;
    }

    private DatabaseWire anyWire(Random random) {
        return Objects.requireNonNull(nodes.get(random.nextInt(nodes.size())).wire());
    }

    private String loseAcknowledgement(Random random) throws InterruptedException {
        List<String> acknowledged = plan.isSemel() ? ACKNOWLEDGED : ACKNOWLEDGED_TO_PEERS;
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

    private String restart(Random random) throws Exception {
        cluster.restart();
        return "of the primary";
    }

    private String failOver(Random random) throws Exception {
        if (!cluster.hasStandby()) {
            cluster.addStandby();
        }
        // Some nodes hear of it later, and talk to the old primary in the meantime.
        List<DatabaseWire> late = new ArrayList<>();
        List<DatabaseWire> prompt = new ArrayList<>();
        for (Node node : nodes) {
            (random.nextBoolean() ? late : prompt).add(Objects.requireNonNull(node.wire()));
        }
        late.forEach(DatabaseWire::deposed);
        prompt.forEach(DatabaseWire::deposed);
        Postgres old = cluster.promote();
        prompt.forEach(wire -> wire.lead(cluster.primary().port()));
        TimeUnit.MILLISECONDS.sleep(1_000 + random.nextInt(3_000));
        old.kill();
        late.forEach(wire -> wire.lead(cluster.primary().port()));
        cluster.addStandby();
        TempDirectory.delete(old.data());
        return "to the standby";
    }

    private String fillDisk(Random random) throws Exception {
        int variant = random.nextInt(DISK_LIMITS.size());
        for (ProcessHandle process : cluster.primary().processes()) {
            Processes.limitFileSize(process.pid(), DISK_LIMITS.get(variant));
        }
        TimeUnit.MILLISECONDS.sleep(1_500 + random.nextInt(2_000));
        for (ProcessHandle process : cluster.primary().processes()) {
            Processes.limitFileSize(process.pid(), "unlimited");
        }
        cluster.heal();
        return List.of("no room for tables", "no room for the log").get(variant);
    }

    /** Undoes what may still be broken. */
    public void heal() throws Exception {
        for (Node node : nodes) {
            Objects.requireNonNull(node.wire()).heal();
        }
        cluster.heal();
    }
}
