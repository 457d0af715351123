package dev.semel.torture.fault;

import dev.semel.torture.database.Backup;
import dev.semel.torture.database.LostEffects;
import dev.semel.torture.database.RestorableDatabase;
import dev.semel.torture.database.SqlDatabase;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.process.Processes;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.server.Node;
import dev.semel.torture.server.OperatorCommand;
import dev.semel.torture.service.ServiceRequest.Operation;
import dev.semel.torture.wire.DatabaseWire;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The database is put back to a copy that is some seconds old. All nodes have to refuse claims until a person acknowledges the loss
 * with the command line.
 */
public final class Restore implements InjectedFault {

    /** How often a gateway looks, and a node of the torture. */
    private static final Duration GATEWAY_LOOKS = Duration.ofSeconds(5);

    private static final Duration NODE_LOOKS = Duration.ofSeconds(1);

    /** A look waits so long for a connection to a database that is down. */
    private static final Duration TO_CONNECT = Duration.ofSeconds(2);

    /** What a request is given for calls of the store, besides its own work of two leases at most. */
    private static final Duration OF_CALLS = Duration.ofSeconds(6);

    private static final Duration REFUSED = Duration.ofSeconds(3);
    private static final String ACKNOWLEDGED = "acknowledged: ";
    private static final String NONE_OF_REDIS = ACKNOWLEDGED + "0 ";

    private final TorturePlan plan;
    private final RestorableDatabase database;
    private final List<Node> nodes;
    private final NodeFaults nodeFaults;
    private final Ledger ledger;
    private final LongConsumer forgottenSince;
    private final LostEffects lostEffects = new LostEffects();
    private final List<String> unnoticed = new CopyOnWriteArrayList<>();

    /** @param forgottenSince gets the time of the copy as soon as nothing is written any more to what will be lost */
    public Restore(
            TorturePlan plan,
            RestorableDatabase database,
            List<Node> nodes,
            NodeFaults nodeFaults,
            Ledger ledger,
            LongConsumer forgottenSince) {
        this.plan = plan;
        this.database = database;
        this.nodes = nodes;
        this.nodeFaults = nodeFaults;
        this.ledger = ledger;
        this.forgottenSince = forgottenSince;
    }

    /** Effects that were taken out of the business table. */
    public LostEffects lostEffects() {
        return lostEffects;
    }

    /** Restores that no node had noticed when the person came. */
    public List<String> unnoticed() {
        return List.copyOf(unnoticed);
    }

    @Override
    public String inject(Random random) throws Exception {
        // Only nodes that were there before the restore remember what is lost.
        nodeFaults.awaitStarts();
        List<ProcessHandle> standsStill = random.nextBoolean() ? someGateway(random) : List.of();
        try {
            putBack(standsStill, random);
            acknowledge(standsStill);
        } finally {
            Processes.resume(standsStill);
        }
        return standsStill.isEmpty() ? "to an older copy" : "to an older copy, while a gateway stood still";
    }

    /** One that goes on when all others refuse claims, as a virtual machine that was suspended; none where nodes are no gateways. */
    private List<ProcessHandle> someGateway(Random random) {
        return plan.door() == Door.GATEWAY && !database.isOpenedByNodes()
                ? List.of(nodes.get(random.nextInt(nodes.size())).current().handle())
                : List.of();
    }

    private void putBack(List<ProcessHandle> standsStill, Random random) throws Exception {
        stopWriting();
        long copiedAt = System.nanoTime();
        try (Backup backup = Backup.of(database.files())) {
            startAgain();
            // In this time each node looks at the database, so that each has something to remember.
            sleep(looks().multipliedBy(2).plus(TO_CONNECT).plusMillis(random.nextInt(3_000)));
            Processes.suspend(standsStill);
            stopWriting();
            forgottenSince.accept(copiedAt);
            backup.putBack();
        }
        if (!database.isOpenedByNodes()) {
            // Requests that were under way end: a claim of theirs could still get through.
            sleep(plan.lease().multipliedBy(2).plus(OF_CALLS));
        }
        startAgain();
    }

    private Duration looks() {
        return plan.door() == Door.GATEWAY ? GATEWAY_LOOKS : NODE_LOOKS;
    }

    /** Waits until all transactions have ended, and remembers what they did, before the server is killed. */
    private void stopWriting() throws Exception {
        if (database.isOpenedByNodes()) {
            for (Node node : nodes) {
                node.kill();
                node.awaitDeath(TO_CONNECT);
            }
        }
        for (Node node : nodes) {
            DatabaseWire wire = node.wire();
            if (wire != null) {
                wire.cut(Duration.ofHours(1));
            }
        }
        if (database instanceof SqlDatabase sql) {
            sleep(Duration.ofSeconds(1));
            for (Operation operation : plan.operations()) {
                if (operation.isTransactional()) {
                    lostEffects.remember(operation, sql.effects(operation));
                }
            }
        }
        database.shutDown();
        // Answers that were given before are on their way to clients.
        sleep(Duration.ofMillis(500));
    }

    private void startAgain() throws Exception {
        database.startUp();
        for (Node node : nodes) {
            DatabaseWire wire = node.wire();
            if (wire != null) {
                wire.heal();
            }
        }
        if (database.isOpenedByNodes()) {
            startNodes();
        }
    }

    private void startNodes() throws Exception {
        ExecutorService starters = Executors.newCachedThreadPool(DaemonThreads.named("starter"));
        List<Future<?>> starts = new ArrayList<>();
        for (Node node : nodes) {
            starts.add(starters.submit(() -> {
                node.start();
                return node;
            }));
        }
        starters.shutdown();
        for (Future<?> start : starts) {
            start.get();
        }
    }

    /**
     * As a person does who has given all nodes the time to notice, and looks for a while at what they refuse.
     *
     * @param standsStill gateways that go on in the middle of this
     */
    private void acknowledge(List<ProcessHandle> standsStill) throws IOException, InterruptedException {
        sleep(looks().plus(TO_CONNECT));
        if (plan.store().refusesAllAfterRestore()) {
            ledger.beginRefusal();
        }
        sleep(REFUSED);
        if (!standsStill.isEmpty()) {
            Processes.resume(standsStill);
            sleep(REFUSED);
        }
        ledger.endRefusal();
        String store = database.url(database.ports()).replace("jdbc:sqlite:", "sqlite:");
        OperatorCommand.Result result = OperatorCommand.run(
                database.environment(), List.of("keys", "acknowledge-loss", "--store", store, "--yes"));
        String said = result.output().strip();
        if (result.exitCode() != 0) {
            throw new IOException("the loss could not be acknowledged: " + said);
        }
        if (!said.contains(ACKNOWLEDGED) || said.contains(NONE_OF_REDIS)) {
            unnoticed.add("a restore was not noticed: " + said);
        }
        // All nodes follow.
        sleep(looks().plus(TO_CONNECT));
    }

    private static void sleep(Duration time) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(time.toMillis());
    }
}
