package dev.semel.engine.histories;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Reconciler;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.history.Effect;
import dev.semel.testkit.history.History;
import dev.semel.testkit.history.HistoryChecker;
import dev.semel.testkit.history.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The environment of a history: two nodes, their store, the bank that does what operations ask for, and time.
 *
 * <p>The clock of the store moves only in {@link #pass}, never faster than the clocks of the processes, and not past a
 * heartbeat that is merely late because the machine is busy.
 */
final class World {

    private static final Duration SLICE = Duration.ofMillis(20);
    private static final Duration LATE_HEARTBEAT = Duration.ofSeconds(1);

    final SettableClock clock = SettableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
    final InMemoryKeyStore memory = InMemoryKeyStore.builder().clock(clock).build();
    final History history = new History();
    final List<Effect> ledger = Collections.synchronizedList(new ArrayList<>());
    final Map<Key, Outcome> done = new ConcurrentHashMap<>();
    final List<Request> requests = new CopyOnWriteArrayList<>();
    final List<Node> nodes = new ArrayList<>();
    final EngineFlaw flaw;
    final ShakyStore store;
    private Key held;

    World(EngineFlaw flaw) {
        this.flaw = flaw;
        this.store = new ShakyStore(memory, flaw);
        nodes.add(new Node(new Release(0, flaw), store, this::reconcile));
        nodes.add(new Node(new Release(0, flaw), store, this::reconcile));
    }

    /** Lets this much time pass, for the store and for all processes. */
    void pass(Duration duration) {
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(SLICE)) {
            LockSupport.parkNanos(SLICE.toNanos());
            requests.stream()
                    .filter(request -> mustBeKept(request) && !request.late)
                    .forEach(this::awaitHeartbeat);
            clock.advance(SLICE);
            requests.stream().filter(this::mustBeKept).filter(this::isLapsed).forEach(request -> {
                history.lapsed(request.name);
                request.excused = true;
            });
        }
    }

    private boolean mustBeKept(Request request) {
        return request.isRunningSlowly() && !request.node.disturbed && !request.excused && !request.key.equals(held);
    }

    private void awaitHeartbeat(Request request) {
        request.late = !await(
                LATE_HEARTBEAT,
                () -> record(request)
                        .filter(record -> record.state() == KeyState.PENDING)
                        .map(record -> Duration.between(clock.instant(), record.leaseUntil())
                                        .compareTo(Release.LEASE.dividedBy(4))
                                > 0)
                        .orElse(true));
    }

    private boolean isLapsed(Request request) {
        return record(request)
                .filter(record -> record.token() == request.attempt.token())
                .filter(record -> record.state() == KeyState.LAPSED)
                .isPresent();
    }

    private Optional<KeyRecord> record(Request request) {
        return memory.find(request.engineKey().digest()).toCompletableFuture().join();
    }

    /** Waits without letting the store's clock move. */
    static boolean await(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
        return true;
    }

    /** Locks the row of this request's key. */
    void hold(Request request, boolean told) {
        held = request.key;
        history.held(held);
        store.hold(request.engineKey().digest(), told);
        requests.stream().filter(other -> other.key.equals(held)).forEach(other -> other.excused = true);
    }

    void free() {
        if (held != null) {
            nodes.stream()
                    .flatMap(node -> java.util.Arrays.stream(Release.Kind.values())
                            .map(kind -> node.release.key(kind, held).digest()))
                    .distinct()
                    .forEach(store::free);
            history.freed(held);
            held = null;
        }
    }

    boolean isHeld(Key key) {
        return key.equals(held);
    }

    /** Replaces a node by one of the next release. What it was doing is lost. */
    void deploy(int index) {
        Node old = nodes.get(index);
        Release next = new Release(old.release.number() + 1, flaw);
        history.deployed("release " + next.number() + " to node " + index);
        old.kill();
        requests.stream().filter(request -> request.node == old).forEach(this::giveUp);
        nodes.set(index, new Node(next, store, this::reconcile));
    }

    void giveUp(Request request) {
        if (request.over.compareAndSet(false, true)) {
            history.unknown(request.name);
        }
    }

    void disturb(Node node) {
        node.disturbed = true;
        requests.stream().filter(request -> request.node == node).forEach(request -> request.excused = true);
    }

    void heal() {
        free();
        store.endStalls();
        store.thaw();
        nodes.forEach(Node::heal);
    }

    /** Whether an operation of this key has begun of which the bank does not know yet what it is about. */
    boolean isUndecided(Key key) {
        return requests.stream().anyMatch(request -> request.key.equals(key) && request.isUndecided());
    }

    /** What the client truly wants that this key of a release stands for. */
    Request wanted(Key engineKey) {
        return requests.stream()
                .filter(request -> request.engineKey().equals(engineKey))
                .findFirst()
                .orElseThrow();
    }

    /** The application's own way to find out what a request did: it asks the bank. */
    private CompletableFuture<Reconciler.Verdict> reconcile(Reconciler.Case lapsed) {
        Key key = wanted(lapsed.key()).key;
        if (isUndecided(key)) {
            return CompletableFuture.completedFuture(new Reconciler.Verdict.CannotTell());
        }
        Outcome outcome = done.get(key);
        history.decided(key, outcome);
        return CompletableFuture.completedFuture(
                outcome == null ? new Reconciler.Verdict.NotExecuted() : new Reconciler.Verdict.Done(outcome));
    }

    List<Violation> violations() {
        return HistoryChecker.ofExternalEffects(
                        key -> key.value().startsWith("redo") || key.value().startsWith("order"))
                .check(history.events(), history.circumstances(), List.copyOf(ledger));
    }

    void close() {
        nodes.forEach(Node::kill);
    }
}
