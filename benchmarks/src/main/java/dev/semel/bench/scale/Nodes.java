package dev.semel.bench.scale;

import dev.semel.bench.http.Wrk;
import dev.semel.bench.measure.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends load to some gateways at once, and finds out what that cost them and the store. */
record Nodes(SharedStore store, Wrk wrk, List<Node> all) {

    /** The most requests that are under way at a node. */
    private static final int UNDER_WAY = 64;

    /**
     * The load of a turn.
     *
     * @param connections to each gateway
     * @param sameKeys whether every gateway gets every key, so that they race for it
     */
    record Load(int nodes, int connections, String path, boolean sameKeys) {}

    Turn run(Load load, Duration time) throws Exception {
        List<Node> active = all.subList(0, load.nodes());
        for (Node node : all) {
            if (active.contains(node)) {
                node.resume();
            } else {
                node.pause();
            }
        }
        store.reset();
        List<ProcessHandle> gateways = active.stream().map(Node::handle).toList();
        long keys = store.keys();
        long[] before = read(gateways);
        double perSecond = send(active, load, time);
        List<Map<String, Double>> counted = new ArrayList<>();
        for (Node node : active) {
            counted.add(node.counted());
        }
        long[] work = read(gateways);
        for (int i = 0; i < work.length; i++) {
            work[i] -= before[i];
        }
        return turn(perSecond, counted, work, store.keys() - keys, load.sameKeys());
    }

    private long[] read(List<ProcessHandle> gateways) {
        return new long[] {
            CpuTime.micros(store.processes()),
            CpuTime.micros(store.primaries()),
            CpuTime.microsWithoutCompiler(gateways),
            store.logBytes(),
            store.roundTrips(),
            store.dataBytes(),
            store.indexBytes()
        };
    }

    private double send(List<Node> active, Load load, Duration time) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(active.size());
        try {
            String shared = Payload.newKey();
            List<Future<Double>> rates = new ArrayList<>();
            for (Node node : active) {
                String prefix = load.sameKeys() ? shared : Payload.newKey();
                rates.add(callers.submit(() -> wrk.run(node.port(), load.path(), load.connections(), prefix, time)
                        .perSecond()));
            }
            double sum = 0;
            for (Future<Double> rate : rates) {
                sum += rate.get();
            }
            return sum;
        } finally {
            callers.shutdownNow();
        }
    }

    private Turn turn(double perSecond, List<Map<String, Double>> nodes, long[] work, long keys, boolean sameKeys) {
        double least = Double.MAX_VALUE;
        double most = 0;
        double executed = 0;
        double replayed = 0;
        double lockWaits = 0;
        double waits = 0;
        for (Map<String, Double> counted : nodes) {
            double own = counted.getOrDefault(Node.EXECUTED, 0.0);
            double others = counted.getOrDefault("idempotency_hit_total", 0.0);
            least = Math.min(least, own + others);
            most = Math.max(most, own + others);
            executed += own;
            replayed += others;
            lockWaits += counted.getOrDefault("idempotency_lock_waits_total", 0.0)
                    + counted.getOrDefault("idempotency_deadlocks_total", 0.0);
            waits += counted.getOrDefault("idempotency_wait_seconds_count", 0.0);
        }
        // When the load ends, callers leave: of the requests that are under way, some have claimed a key and ran
        // nothing.
        if (executed > keys || keys - executed > UNDER_WAY * nodes.size()) {
            throw new IllegalStateException(nodes.size() + " gateways on " + store.name() + " are wrong: " + executed
                    + " operations ran for " + keys + " keys");
        }
        if (!sameKeys && replayed > 0) {
            throw new IllegalStateException(replayed + " requests of new keys got the answer of another request");
        }
        double requests = executed + replayed;
        return new Turn(
                perSecond,
                least / most,
                work[0] / requests,
                work[1] / requests,
                work[2] / requests,
                work[3] / requests,
                work[4] / requests,
                work[5] / executed,
                work[6] / executed,
                lockWaits / requests,
                waits / requests);
    }
}
