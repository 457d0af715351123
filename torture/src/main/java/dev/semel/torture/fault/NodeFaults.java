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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

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

    /** Where a node can be suspended between a check and what it was for. */
    private final List<String> stops = new ArrayList<>(List.of("after-claim", "before-effect", "before-settle"));

    private final ExecutorService starter = Executors.newCachedThreadPool(DaemonThreads.named("starter"));
    private final AtomicReference<@Nullable Stop> stopping = new AtomicReference<>();
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
            if (plan.operations().contains(Operation.TRANSACTION)) {
                points.addAll(TRANSACTION_POINTS);
                stops.addAll(TRANSACTION_POINTS);
            }
            plan.store().acknowledged().forEach(word -> points.add(SENT + word));
        } else {
            points.addAll(List.of("before-effect", "after-effect"));
        }
        ledger.onFailpoint((incarnation, point) -> nodes.stream()
                .filter(node -> isOrWas(node, incarnation))
                .forEach(node -> node.current().kill()));
        ledger.onStop((incarnation, point) -> stop(incarnation));
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

    /**
     * At any moment, or just before a write: then what was checked before it is no longer true when the write is sent.
     */
    private String pause(Random random) throws Exception {
        Node node = living(random);
        NodeProcess process = node.current();
        boolean atPoint = random.nextBoolean();
        String point = stops.get(random.nextInt(stops.size()));
        int longer = random.nextInt(1_500);
        boolean stopped = atPoint && plan.isSemel() && plan.door() != Door.GATEWAY && stopAt(node, point);
        if (!stopped) {
            Processes.suspend(List.of(process.handle()));
        }
        TimeUnit.MILLISECONDS.sleep(plan.lease().toMillis() + 300 + longer);
        Processes.resume(List.of(process.handle()));
        return "past the lease" + (stopped ? ", " + point : "");
    }

    /** Suspends the node when it comes to the point; {@code false} if it does not come there soon. */
    private boolean stopAt(Node node, String point) throws InterruptedException {
        NodeProcess process = node.current();
        Stop stop = new Stop(process.options().name(), process.handle(), new CountDownLatch(1));
        stopping.set(stop);
        if (node.control("stop", point) && stop.reached.await(TO_REACH_A_POINT.toMillis(), TimeUnit.MILLISECONDS)) {
            return true;
        }
        if (!stopping.compareAndSet(stop, null)) {
            // It has come there in this moment.
            return true;
        }
        node.control("go", point);
        return false;
    }

    /** A node that is to be suspended when it says that it has come to a point. */
    private record Stop(String incarnation, ProcessHandle process, CountDownLatch reached) {}

    private void stop(String incarnation) {
        Stop stop = stopping.get();
        if (stop != null && stop.incarnation.equals(incarnation) && stopping.compareAndSet(stop, null)) {
            suspend(stop.process);
            stop.reached.countDown();
        }
    }

    private static void suspend(ProcessHandle process) {
        try {
            Processes.suspend(List.of(process));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
        awaitStarts();
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

    /** Waits for the nodes that are being started. */
    void awaitStarts() throws Exception {
        List<Future<?>> pending;
        synchronized (starts) {
            pending = List.copyOf(starts);
        }
        for (Future<?> start : pending) {
            start.get();
        }
    }
}
