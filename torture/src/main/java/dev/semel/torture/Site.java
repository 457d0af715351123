package dev.semel.torture;

import dev.semel.testkit.history.Effect;
import dev.semel.testservers.TempDirectory;
import dev.semel.torture.broker.Broker;
import dev.semel.torture.broker.KafkaTopics;
import dev.semel.torture.broker.MessageQueue;
import dev.semel.torture.broker.RabbitQueues;
import dev.semel.torture.broker.SqsQueues;
import dev.semel.torture.database.Database;
import dev.semel.torture.database.Databases;
import dev.semel.torture.database.PatroniDatabase;
import dev.semel.torture.database.PostgresCluster;
import dev.semel.torture.database.RestorableDatabase;
import dev.semel.torture.database.SingleRedis;
import dev.semel.torture.database.SqlDatabase;
import dev.semel.torture.door.ClientSide;
import dev.semel.torture.door.DyingUpstream;
import dev.semel.torture.door.GatewayConfigFile;
import dev.semel.torture.door.MessageClient;
import dev.semel.torture.fault.DatabaseFaults;
import dev.semel.torture.fault.Eraser;
import dev.semel.torture.fault.FullDisk;
import dev.semel.torture.fault.InjectedFault;
import dev.semel.torture.fault.NodeFaults;
import dev.semel.torture.fault.Operator;
import dev.semel.torture.fault.OperatorDoors;
import dev.semel.torture.fault.PatroniFaults;
import dev.semel.torture.fault.PostgresFaults;
import dev.semel.torture.fault.QuietScope;
import dev.semel.torture.fault.Restore;
import dev.semel.torture.fault.Rotation;
import dev.semel.torture.fault.RowLocks;
import dev.semel.torture.node.NodeOptions;
import dev.semel.torture.peers.Peers;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.StoreKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.process.Ports;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.server.Node;
import dev.semel.torture.server.ShiftedClock;
import dev.semel.torture.service.ServiceRequest.Operation;
import dev.semel.torture.wire.DatabaseWire;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Everything that runs: the ledger, the database, the nodes, and the ways to break them. */
final class Site implements AutoCloseable {

    private final TorturePlan plan;
    private final Path directory;
    private final Ledger ledger;
    private final Database database;
    private final @Nullable SingleRedis redis;
    private final @Nullable Broker broker;
    private final List<Node> nodes = new ArrayList<>();
    private final List<String> consoles = new ArrayList<>();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();
    private final Thread emergency = new Thread(this::killProcesses, "emergency");
    private @Nullable MessageClient messages;
    private @Nullable NodeFaults nodeFaults;
    private @Nullable DatabaseFaults databaseFaults;
    private @Nullable Restore restore;

    private Site(
            TorturePlan plan,
            Path directory,
            Ledger ledger,
            Database database,
            @Nullable SingleRedis redis,
            @Nullable Broker broker) {
        this.plan = plan;
        this.directory = directory;
        this.ledger = ledger;
        this.database = database;
        this.redis = redis;
        this.broker = broker;
        // The database sees to itself.
        Runtime.getRuntime().addShutdownHook(emergency);
    }

    static Site open(TorturePlan plan) throws Exception {
        Path directory = Files.createTempDirectory("semel-torture-");
        Database database = Databases.start(plan, directory);
        SingleRedis redis = Peers.areKeptInRedis(plan.system()) ? SingleRedis.start() : null;
        Site site = new Site(plan, directory, new Ledger(), database, redis, startBroker(plan));
        try {
            site.startNodes();
            site.messages = site.broker == null ? null : new MessageClient(site.broker, site.http);
        } catch (Exception e) {
            site.close();
            throw e;
        }
        return site;
    }

    private static @Nullable Broker startBroker(TorturePlan plan) throws Exception {
        List<MessageQueue> queues = MessageQueue.of(plan.operations());
        return switch (plan.door()) {
            case KAFKA -> KafkaTopics.start(queues);
            case SQS -> SqsQueues.start(queues);
            case RABBITMQ -> RabbitQueues.start(queues);
            case ENGINE, SERVLET, WEBFLUX, GATEWAY -> null;
        };
    }

    private void startNodes() throws Exception {
        Optional<Path> clocks =
                plan.faults().contains(FaultKind.CLOCK) ? ShiftedClock.compile(directory) : Optional.empty();
        for (int i = 1; i <= plan.nodes(); i++) {
            String name = "n" + i;
            DatabaseWire wire = DatabaseWire.to(database.ports(), database.protocol());
            ShiftedClock clock =
                    clocks.isPresent() ? ShiftedClock.of(clocks.get(), directory.resolve(name + ".clock")) : null;
            NodeOptions options = new NodeOptions(
                    name,
                    database.url(wire == null ? List.of() : wire.ports()),
                    redis == null ? 0 : redis.server().port(),
                    ledger.port(),
                    plan.system(),
                    1,
                    plan.lease(),
                    plan.store() == StoreKind.POSTGRES_GENERATIONS,
                    plan.faults().contains(FaultKind.RESTORE),
                    plan.door().toString(),
                    broker == null ? "none" : broker.address(),
                    plan.bug().toString());
            Node node = new Node(options, database.environment(), wire, clock, directory.resolve(name + ".log"), http);
            nodes.add(node);
            if (plan.door() == Door.GATEWAY) {
                node.putBefore(service(name, options.url().replace("jdbc:sqlite:", "sqlite:")));
            }
        }
        startAll();
    }

    /** At the same time, but for the first, which creates the tables. */
    private void startAll() throws Exception {
        nodes.get(0).start();
        ExecutorService starters = Executors.newCachedThreadPool(DaemonThreads.named("starter"));
        List<Future<?>> starts = nodes.stream()
                .skip(1)
                .<Future<?>>map(node -> starters.submit(() -> {
                    node.start();
                    return node;
                }))
                .toList();
        starters.shutdown();
        for (Future<?> start : starts) {
            start.get();
        }
    }

    private Node.Behind service(String name, String storeUrl) throws IOException {
        int admin = Ports.free();
        consoles.add("http://127.0.0.1:" + admin);
        DyingUpstream upstream = new DyingUpstream(name, ledger.port());
        List<Path> configs = new ArrayList<>();
        for (int release = 1; release <= 2; release++) {
            Path file = directory.resolve(name + "-" + release + ".yaml");
            configs.add(GatewayConfigFile.write(file, release, upstream.port(), admin, storeUrl, plan.lease()));
        }
        return new Node.Behind(upstream, configs);
    }

    /**
     * @param forgottenSince gets the time of a copy to which the database is put back
     * @param erased what can be erased; {@code null} if nothing can
     */
    Map<FaultKind, InjectedFault> faults(LongConsumer forgottenSince, @Nullable QuietScope erased) {
        NodeFaults ofNodes = new NodeFaults(plan, nodes, ledger);
        nodeFaults = ofNodes;
        Map<FaultKind, InjectedFault> faults = new HashMap<>(ofNodes.all());
        DatabaseFaults ofDatabase = new DatabaseFaults(plan, database, nodes);
        databaseFaults = ofDatabase;
        faults.putAll(ofDatabase.all());
        if (broker != null) {
            faults.put(FaultKind.BROKER, random -> {
                broker.restart();
                return "stopped and started again";
            });
        }
        faults.put(FaultKind.OPERATOR, new Operator(database, ledger, operatorDoors()));
        if (erased != null) {
            faults.put(FaultKind.ERASURE, new Eraser(database, operatorDoors(), erased));
        }
        if (database instanceof PostgresCluster cluster) {
            faults.putAll(new PostgresFaults(plan, cluster, nodes).all());
            faults.put(FaultKind.ROTATION, new Rotation(cluster));
        } else if (database instanceof PatroniDatabase patroni) {
            faults.put(FaultKind.FAILOVER, new PatroniFaults(patroni, nodes));
        } else {
            faults.put(FaultKind.DISK, new FullDisk(nodes));
        }
        if (database instanceof RestorableDatabase restorable) {
            Restore ofFiles = new Restore(plan, restorable, nodes, ofNodes, ledger, forgottenSince);
            restore = ofFiles;
            faults.put(FaultKind.RESTORE, ofFiles);
        }
        if (database instanceof SqlDatabase sql) {
            faults.put(FaultKind.ROW_LOCK, new RowLocks(plan, sql::direct));
        }
        return faults;
    }

    private OperatorDoors operatorDoors() {
        return new OperatorDoors(
                database.environment(), database.url(database.ports()).replace("jdbc:sqlite:", "sqlite:"), consoles);
    }

    Ledger ledger() {
        return ledger;
    }

    Database database() {
        return database;
    }

    /** The effects that are, or were, rows of the business table. */
    List<Effect> effectsOfTransactions(Operation operation) throws SQLException {
        List<Effect> present = database.effects(operation);
        return restore == null ? present : restore.lostEffects().with(operation, present);
    }

    /** Restores that no node had noticed before they were acknowledged. */
    List<String> unnoticedRestores() {
        return restore == null ? List.of() : restore.unnoticed();
    }

    List<Node> nodes() {
        return nodes;
    }

    /** How clients ask. */
    ClientSide clients() {
        return messages == null ? ClientSide.of(plan.door(), http, ledger.keys()) : messages;
    }

    /** Those that send messages; {@code null} if the door takes requests. */
    @Nullable
    MessageClient messages() {
        return messages;
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
        if (messages != null) {
            messages.close();
        }
        try {
            database.close();
        } finally {
            if (broker != null) {
                broker.close();
            }
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
