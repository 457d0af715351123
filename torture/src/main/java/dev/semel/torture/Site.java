package dev.semel.torture;

import dev.semel.testservers.TempDirectory;
import dev.semel.testservers.TestRedis;
import dev.semel.torture.fault.DatabaseFaults;
import dev.semel.torture.fault.FullDisk;
import dev.semel.torture.fault.InjectedFault;
import dev.semel.torture.fault.NodeFaults;
import dev.semel.torture.fault.Rotation;
import dev.semel.torture.node.NodeOptions;
import dev.semel.torture.peers.Peers;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.server.Database;
import dev.semel.torture.server.DatabaseWire;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.server.Node;
import dev.semel.torture.server.PostgresCluster;
import dev.semel.torture.server.PostgresUrls;
import dev.semel.torture.server.ShiftedClock;
import dev.semel.torture.server.SqliteFile;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything that runs: the ledger, the database, the nodes, and the ways to break them. */
final class Site implements AutoCloseable {

    private final TorturePlan plan;
    private final Path directory;
    private final Ledger ledger;
    private final Database database;
    private final @Nullable TestRedis redis;
    private final List<Node> nodes = new ArrayList<>();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();
    private final Thread emergency = new Thread(this::killProcesses, "emergency");
    private @Nullable NodeFaults nodeFaults;
    private @Nullable DatabaseFaults databaseFaults;

    private Site(TorturePlan plan, Path directory, Ledger ledger, Database database, @Nullable TestRedis redis) {
        this.plan = plan;
        this.directory = directory;
        this.ledger = ledger;
        this.database = database;
        this.redis = redis;
        // The database sees to itself.
        Runtime.getRuntime().addShutdownHook(emergency);
    }

    static Site open(TorturePlan plan) throws Exception {
        Path directory = Files.createTempDirectory("semel-torture-");
        Database database = plan.isPostgres()
                ? PostgresCluster.start(directory, plan.faults().contains(FaultKind.FAILOVER))
                : new SqliteFile(directory.resolve("keys.db"));
        TestRedis redis = Peers.areKeptInRedis(plan.system()) ? startRedis(directory) : null;
        Site site = new Site(plan, directory, new Ledger(), database, redis);
        try {
            site.startNodes();
        } catch (Exception e) {
            site.close();
            throw e;
        }
        return site;
    }

    /** It writes to the disk before it answers. */
    private static TestRedis startRedis(Path directory) throws IOException {
        Path data = Files.createDirectory(directory.resolve("redis"));
        return TestRedis.start("appendonly yes", "appendfsync always", "dir " + data);
    }

    private void startNodes() throws Exception {
        Optional<Path> clocks =
                plan.faults().contains(FaultKind.CLOCK) ? ShiftedClock.compile(directory) : Optional.empty();
        for (int i = 1; i <= plan.nodes(); i++) {
            String name = "n" + i;
            DatabaseWire wire = database instanceof PostgresCluster cluster
                    ? new DatabaseWire(cluster.primary().port())
                    : null;
            String url = wire != null ? PostgresUrls.url(wire.port()) : ((SqliteFile) database).url();
            ShiftedClock clock =
                    clocks.isPresent() ? ShiftedClock.of(clocks.get(), directory.resolve(name + ".clock")) : null;
            NodeOptions options = new NodeOptions(
                    name,
                    url,
                    redis == null ? 0 : redis.port(),
                    ledger.port(),
                    plan.system(),
                    1,
                    plan.lease(),
                    plan.rotates(),
                    plan.bug().toString());
            Node node = new Node(options, wire, clock, directory.resolve(name + ".log"), http);
            nodes.add(node);
            node.start();
        }
    }

    Map<FaultKind, InjectedFault> faults() {
        NodeFaults ofNodes = new NodeFaults(plan, nodes, ledger);
        nodeFaults = ofNodes;
        Map<FaultKind, InjectedFault> faults = new HashMap<>(ofNodes.all());
        if (database instanceof PostgresCluster cluster) {
            DatabaseFaults ofDatabase = new DatabaseFaults(plan, cluster, nodes);
            databaseFaults = ofDatabase;
            faults.putAll(ofDatabase.all());
            faults.put(FaultKind.ROTATION, new Rotation(cluster));
        } else {
            faults.put(FaultKind.DISK, new FullDisk(nodes));
        }
        return faults;
    }

    Ledger ledger() {
        return ledger;
    }

    Database database() {
        return database;
    }

    List<Node> nodes() {
        return nodes;
    }

    HttpClient http() {
        return http;
    }

    /** Repairs everything, so that what is pending can end. */
    void heal() throws Exception {
        if (databaseFaults != null) {
            databaseFaults.heal();
        }
        if (nodeFaults != null) {
            nodeFaults.heal();
        }
    }

    /** No process is left behind, however the conductor ends. */
    private void killProcesses() {
        nodes.forEach(Node::kill);
        closeRedis();
    }

    @Override
    public void close() throws Exception {
        Runtime.getRuntime().removeShutdownHook(emergency);
        for (Node node : nodes) {
            node.close();
        }
        try {
            database.close();
        } finally {
            closeRedis();
            ledger.close();
            TempDirectory.delete(directory);
        }
    }

    private void closeRedis() {
        if (redis != null) {
            redis.close();
        }
    }
}
