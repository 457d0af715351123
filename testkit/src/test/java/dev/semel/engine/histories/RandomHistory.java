package dev.semel.engine.histories;

import dev.semel.Key;
import dev.semel.Semel;
import dev.semel.engine.histories.Release.Kind;
import dev.semel.engine.histories.Request.Fate;
import dev.semel.testkit.Fault;
import dev.semel.testkit.StoreCall;
import dev.semel.testkit.history.Guarantee;
import dev.semel.testkit.history.History;
import dev.semel.testkit.history.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One random history: a few rounds of trouble, then calm, then the clients' last retries. */
final class RandomHistory {

    private static final int ROUNDS = 3;
    private static final Duration PROMPT = Duration.ofSeconds(2);
    private static final Duration HARMED = Duration.ofMillis(1500);
    private static final List<StoreCall> DISTURBED =
            List.of(StoreCall.CLAIM, StoreCall.SETTLE, StoreCall.RELEASE, StoreCall.ABANDON, StoreCall.RECORD_STEP);

    /** The faults of a round. */
    private enum Trouble {
        SLOW_EXECUTOR,
        FULL_EXECUTOR,
        HELD_ROW,
        STALLED_CLAIM,
        FROZEN_STORE,
        DEAD_OWNER,
        FAILING_CALLS
    }

    private final World world;
    private final Bank bank;
    private final Random random;
    private final Operator operator;
    private final List<Trouble> troubles = new ArrayList<>(List.of(Trouble.values()));
    private int sent;
    private boolean frozen;

    private RandomHistory(long seed, EngineFlaw flaw) {
        this.random = new Random(seed);
        this.world = new World(flaw);
        this.bank = new Bank(world);
        this.operator = new Operator(world, random);
        Collections.shuffle(troubles, random);
    }

    /** The history, and the guarantees that were broken. */
    record Result(History history, List<Violation> violations) {

        boolean breaks(@Nullable Guarantee guarantee) {
            return violations.stream().anyMatch(violation -> violation.guarantee() == guarantee);
        }
    }

    static Result run(long seed, EngineFlaw flaw) {
        RandomHistory history = new RandomHistory(seed, flaw);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                history.round(round);
            }
            history.calmDown();
            history.lastRetries();
            return new Result(history.world.history, history.world.violations());
        } finally {
            history.world.close();
        }
    }

    private void round(int round) {
        someRequests(round, 3);
        Duration trouble = disturb(round);
        world.pass(trouble);
        maintainMisled();
        if (!frozen && random.nextInt(4) > 0) {
            operator.decide(80);
        }
        retries(3);
        if (!frozen) {
            probeOthers();
        }
        world.pass(Duration.ofMillis(random.nextInt(100)));
        heal();
        world.pass(Duration.ofMillis(100 + random.nextInt(300)));
        maintain();
        world.store.runLate();
        if (random.nextInt(3) > 0) {
            world.deploy(random.nextInt(2));
        }
    }

    /** Makes trouble and sends requests into it; how long it lasts. */
    private Duration disturb(int round) {
        Node node = world.nodes.get(random.nextInt(2));
        Duration more = Duration.ofMillis(random.nextInt(300));
        Duration least = Duration.ZERO;
        switch (troubles.get(round)) {
            case SLOW_EXECUTOR -> {
                world.disturb(node);
                node.gate.slowDown();
                if (random.nextInt(4) > 0) {
                    node.faulty.every(StoreCall.RENEW, Fault.FAILS_BEFORE);
                }
                send(Kind.SHIP, key(Kind.SHIP, round, 0), "body", Fate.PROMPT, node);
                least = Release.LEASE;
            }
            case FULL_EXECUTOR -> {
                world.disturb(node);
                node.gate.fill();
            }
            case HELD_ROW -> {
                holdARow(round, node);
                least = Release.LEASE;
            }
            case STALLED_CLAIM -> {
                world.store.stallNextClaim();
                send(Kind.SHIP, Key.of("shop", "stalled-" + round), "body", Fate.PROMPT, node);
            }
            case FROZEN_STORE -> {
                world.nodes.forEach(world::disturb);
                world.store.freeze();
                frozen = true;
                send(Kind.SHIP, Key.of("shop", "frozen-" + round), "body", Fate.PROMPT, node);
            }
            case DEAD_OWNER -> {
                Key key = Key.of("shop", "redo-dead-" + round);
                send(Kind.REDO, key, "body", Fate.CANNOT_TELL, node);
                world.nodes.forEach(any -> send(Kind.REDO, key, "body", Fate.PROMPT, any));
                least = Release.LEASE;
            }
            case FAILING_CALLS -> failCalls(node);
        }
        someRequests(round, 3);
        return least.plus(more);
    }

    private void failCalls(Node node) {
        for (int i = 0; i < 4; i++) {
            Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
            node.faulty.next(DISTURBED.get(random.nextInt(DISTURBED.size())), fault);
        }
        if (random.nextBoolean()) {
            node.faulty.every(StoreCall.RECORD_STEP, Fault.FAILS_BEFORE);
        }
    }

    private void heal() {
        world.heal();
        frozen = false;
        for (Request request : world.requests) {
            if (random.nextBoolean()) {
                request.slow.complete(null);
            }
        }
    }

    /** Locks the row of one of several slow operations. */
    private void holdARow(int round, Node node) {
        for (int i = 0; i < 3; i++) {
            Kind kind = random.nextBoolean() ? Kind.CHARGE : Kind.SHIP;
            Request slow = send(kind, Key.of("shop", "slow-" + round + "-" + i), "body", Fate.SLOW, node);
            World.await(PROMPT, () -> slow.effected || slow.over.get());
        }
        world.hold(world.requests.get(world.requests.size() - 1 - random.nextInt(3)), random.nextBoolean());
    }

    private void someRequests(int round, int most) {
        for (int i = random.nextInt(most); i >= 0; i--) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            Fate fate = random.nextInt(3) == 0 ? Fate.PROMPT : Fate.values()[random.nextInt(Fate.values().length)];
            String body = random.nextInt(12) == 0 ? "another body" : "body";
            send(kind, key(kind, round, random.nextInt(2)), body, fate, world.nodes.get(random.nextInt(2)));
        }
        World.await(Duration.ofMillis(random.nextInt(30)), () -> false);
    }

    /** Clients send again what they sent not long ago. */
    private void retries(int most) {
        List<Request> recent = world.requests.stream()
                .filter(request -> !request.name.contains("/"))
                .skip(Math.max(0, world.requests.size() - 10))
                .toList();
        for (int i = random.nextInt(most) + 1; i >= 0 && !recent.isEmpty(); i--) {
            Request before = recent.get(random.nextInt(recent.size()));
            Fate fate = random.nextBoolean() ? Fate.PROMPT : Fate.values()[random.nextInt(Fate.values().length)];
            Node node = world.nodes.get(random.nextInt(2));
            send(before.kind, before.key, before.body, fate, node);
        }
        World.await(Duration.ofMillis(random.nextInt(30)), () -> false);
    }

    /** Two operations share their keys, by mistake. */
    private Key key(Kind kind, int round, int number) {
        String what = kind == Kind.SHIP || kind == Kind.CANCEL
                ? "shared"
                : kind.name().toLowerCase(java.util.Locale.ROOT);
        return Key.of("shop", what + "-" + Math.max(0, round - random.nextInt(2)) + "-" + number);
    }

    private Request send(Kind kind, Key key, String body, Fate fate, Node node) {
        Request request = new Request("r" + sent++, kind, key, body, fate, random.nextInt(3) == 0, node);
        bank.send(request);
        return request;
    }

    /** Clients of other keys, on a node that is well, get their answers immediately. */
    private void probeOthers() {
        for (Node node : world.nodes) {
            if (!node.disturbed && node.gate.isOpen()) {
                Key key = Key.of("shop", "charge-probe-" + sent);
                Request probe = send(Kind.CHARGE, key, "body", Fate.PROMPT, node);
                if (!World.await(HARMED, probe.over::get)) {
                    world.history.waited(probe.name);
                }
            }
        }
    }

    private void maintain() {
        for (Node node : world.nodes) {
            World.await(PROMPT, node.semel.maintain().toCompletableFuture()::isDone);
        }
    }

    private void maintainMisled() {
        if (world.flaw == EngineFlaw.TWO_POLICIES_UNDER_ONE_NAME && !frozen) {
            try (Semel misled = Node.misled(world.nodes.get(0).release, world.store)) {
                World.await(PROMPT, misled.maintain().toCompletableFuture()::isDone);
            }
        }
    }

    private void calmDown() {
        world.heal();
        world.requests.forEach(request -> request.slow.complete(null));
        World.await(PROMPT, () -> world.requests.stream().allMatch(request -> request.over.get()));
        world.pass(Release.LEASE.multipliedBy(2));
        World.await(PROMPT, () -> world.requests.stream().allMatch(request -> request.over.get()));
        world.requests.forEach(world::giveUp);
        world.history.calm();
    }

    private void lastRetries() {
        retryAll();
        operator.decide(100);
        world.pass(Release.LEASE.multipliedBy(2));
        retryAll();
        world.clock.advance(Duration.ofDays(2));
        retryAll();
    }

    private void retryAll() {
        Map<Key, Request> firsts = new LinkedHashMap<>();
        for (Request request : world.requests) {
            if (!request.name.contains("/")) {
                firsts.putIfAbsent(request.key, request);
            }
        }
        for (Request first : firsts.values()) {
            Node node = world.nodes.get(random.nextInt(2));
            Request last = send(first.kind, first.key, first.body, Fate.PROMPT, node);
            World.await(PROMPT, last.over::get);
        }
    }
}
