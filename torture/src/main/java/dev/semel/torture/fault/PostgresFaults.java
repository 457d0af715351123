package dev.semel.torture.fault;

import dev.semel.testservers.TempDirectory;
import dev.semel.torture.database.Postgres;
import dev.semel.torture.database.PostgresCluster;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.process.Processes;
import dev.semel.torture.server.Node;
import dev.semel.torture.wire.DatabaseWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What happens to PostgreSQL alone. */
public record PostgresFaults(TorturePlan plan, PostgresCluster cluster, List<Node> nodes) {

    /** Beyond this size no file can be written: no room for tables, but for the log; or not even for that. */
    private static final List<String> DISK_LIMITS = List.of("17825792", "1048576");

    public Map<FaultKind, InjectedFault> all() {
        return Map.of(
                FaultKind.FAILOVER,
                this::failOver,
                FaultKind.STANDBY,
                this::suspendStandby,
                FaultKind.DISK,
                this::fillDisk);
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

    /** What commits meanwhile is on the disk of the primary, and is acknowledged when the standby goes on. */
    private String suspendStandby(Random random) throws Exception {
        if (!cluster.hasStandby()) {
            cluster.addStandby();
        }
        List<ProcessHandle> processes = cluster.standbyProcesses();
        Processes.suspend(processes);
        TimeUnit.MILLISECONDS.sleep(plan.lease().toMillis() + random.nextInt(3_000));
        Processes.resume(processes);
        return "away, past the lease";
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
}
