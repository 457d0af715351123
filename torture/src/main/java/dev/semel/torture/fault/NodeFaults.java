package dev.semel.torture.fault;

import dev.semel.torture.door.DyingUpstream;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.process.Processes;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.server.Node;
import dev.semel.torture.server.NodeProcess;
import dev.semel.torture.server.ShiftedClock;
import dev.semel.torture.service.ServiceRequest.Operation;
import dev.semel.torture.wire.DatabaseWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** What happens to nodes. */
public final class NodeFaults {

    private static final Duration TO_REACH_A_POINT = Duration.ofSeconds(2);
    private static final List<String> POINTS =
            List.of("after-claim", "before-effect", "after-effect", "before-settle", "after-settle", "before-answer");
    private static final List<String> TRANSACTION_POINTS = List.of("inside-transaction", "settled-inside-transaction");

    /** Followed by a word of the command that has just been sent when the node dies. */
    private static final String SENT = "sent ";

    private final TorturePlan plan;
    private final List<Node> nodes;
    private final List<String> points = new ArrayList<>();
    private final ExecutorService starter = Executors.newCachedThreadPool(DaemonThreads.named("starter"));
    private final List<Future<?>> starts = new ArrayList<>();

    public NodeFaults(TorturePlan plan, List<Node> nodes, Ledger ledger) {
        this.plan = plan;
        this.nodes = nodes;
        points.add("any-moment");
        if (plan.door() == Door.GATEWAY) {
            points.addAll(List.of("before-effect", "after-effect"));
            plan.store().acknowledged().forEach(word -> points.add(SENT + word));
        } else if (plan.isSemel()) {
            points.addAll(POINTS);
            points.addAll(plan.operations().contains(Operation.TRANSACTION) ? TRANSACTION_POINTS : List.of());
            plan.store().acknowledged().forEach(word -> points.add(SENT + word));
        } else {
            points.addAll(List.of("before-effect", "after-effect"));
        }
        ledger.onFailpoint((incarnation, point) -> nodes.stream()
                .filter(node -> isOrWas(node, incarnation))
                .forEach(node -> node.current().kill()));
    }

    /** The service behind a gateway does not know which incarnation is in front of it. */
    private static boolean isOrWas(Node node, String name) {
        String current = node.current().options().name();
        return current.equals(name) || current.startsWith(name + ".");
    }

    public Map<FaultKind, InjectedFault> all() {
        Map<FaultKind, InjectedFault> faults = new EnumMap<>(FaultKind.class);
        faults.put(FaultKind.KILL, this::kill);
        faults.put(FaultKind.PAUSE, this::pause);
        faults.put(FaultKind.UPSTREAM, this::breakUpstream);
        faults.put(FaultKind.SNAPSHOT, this::suspendAll);
        faults.put(FaultKind.UPGRADE, this::upgrade);
        faults.put(
                FaultKind.POOL, random -> control(random, "pool", plan.lease().toMillis() + 500));
        faults.put(FaultKind.MEMORY, random -> control(random, "memory", 0));
        faults.put(
                FaultKind.HEARTBEAT,
                random -> control(random, "heartbeat", plan.lease().toMillis() * 2));
        faults.put(
                FaultKind.RENEWALS,
                random -> control(random, "renewals", plan.lease().toMillis() * 2));
        faults.put(FaultKind.EXECUTOR, random -> control(random, "executor", 1_000 + random.nextInt(2_000)));
        faults.put(FaultKind.CLOCK, this::shiftClock);
        return faults;
    }

    private String kill(Random random) throws Exception {
        Node node = living(random);
        NodeProcess process = node.current();
        String point = points.get(random.nextInt(points.size()));
        DatabaseWire wire = node.wire();
        if (point.equals("any-moment")) {
            process.kill();
        } else if (point.startsWith(SENT) && wire != null) {
            wire.whenSent(point.substring(SENT.length()), process::kill);
        } else {
            node.control("arm", point);
        }
        if (!node.awaitDeath(TO_REACH_A_POINT)) {
            point = "any-moment";
            process.kill();
            node.awaitDeath(TO_REACH_A_POINT);
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(1_500));
        startLater(node);
        return point;
    }

    private void startLater(Node node) {
        synchronized (starts) {
            starts.add(starter.submit(() -> {
                node.start();
                return node;
            }));
        }
    }

    private String pause(Random random) throws Exception {
        Node node = living(random);
        NodeProcess process = node.current();
        Processes.suspend(List.of(process.handle()));
        TimeUnit.MILLISECONDS.sleep(plan.lease().toMillis() + 300 + random.nextInt(1_500));
        Processes.resume(List.of(process.handle()));
        return "past the lease";
    }

    private String breakUpstream(Random random) throws Exception {
        DyingUpstream service = Objects.requireNonNull(living(random).upstream());
        boolean before = random.nextInt(4) == 0;
        service.die(before ? DyingUpstream.BEFORE_THE_EFFECT : random.nextDouble());
        TimeUnit.MILLISECONDS.sleep(200);
        return before ? "before the effect" : "inside the answer";
    }

    private String suspendAll(Random random) throws Exception {
        List<ProcessHandle> processes =
                nodes.stream().map(node -> node.current().handle()).toList();
        Processes.suspend(processes);
        TimeUnit.MILLISECONDS.sleep(plan.lease().toMillis() + 300 + random.nextInt(1_500));
        Processes.resume(processes);
        return "of all nodes, past the lease";
    }

    private String upgrade(Random random) throws Exception {
        // The first node stays at version 1, so that there always is one of it.
        Node node = living(random);
        if (node == nodes.get(0)) {
            return "";
        }
        int version = 3 - node.current().options().fingerprintVersion();
        node.useFingerprintVersion(version);
        node.current().stop();
        node.start();
        return "to version " + version;
    }

    private String control(Random random, String what, long argument) throws Exception {
        Node node = living(random);
        if (!node.control(what, argument)) {
            return "";
        }
        TimeUnit.MILLISECONDS.sleep(argument);
        return "in one node";
    }

    private String shiftClock(Random random) throws Exception {
        ShiftedClock clock = living(random).clock();
        if (clock == null) {
            TimeUnit.SECONDS.sleep(1);
            return "";
        }
        clock.shift(Duration.ofMinutes(random.nextInt(48 * 60) - 24 * 60));
        TimeUnit.MILLISECONDS.sleep(1_200);
        return "by up to a day";
    }

    private Node living(Random random) throws InterruptedException {
        while (true) {
            Node node = nodes.get(random.nextInt(nodes.size()));
            if (node.current().isAlive()) {
                return node;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Waits for the nodes that are being started, and starts those that are dead. */
    public void heal() throws Exception {
        List<Future<?>> pending;
        synchronized (starts) {
            pending = List.copyOf(starts);
        }
        for (Future<?> start : pending) {
            start.get();
        }
        for (Node node : nodes) {
            ShiftedClock clock = node.clock();
            if (clock != null) {
                clock.shift(Duration.ZERO);
            }
            if (!node.current().isAlive()) {
                node.start();
            }
        }
        starter.shutdown();
    }
}
