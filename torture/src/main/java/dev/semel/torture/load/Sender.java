package dev.semel.torture.load;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.testkit.history.Effect;
import dev.semel.testkit.history.History;
import dev.semel.testkit.history.History.ClientAnswer;
import dev.semel.torture.broker.StoredEnd;
import dev.semel.torture.door.ClientSide;
import dev.semel.torture.peers.Peers;
import dev.semel.torture.plan.Door;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.server.Node;
import dev.semel.torture.server.NodeProcess;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import dev.semel.torture.service.ServiceRequest.Operation;
import dev.semel.torture.wire.DatabaseWire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends requests to nodes, and notes in a history per operation what was asked and what was answered. */
public final class Sender {

    /** Parts of what the service returns, and of its own failures. */
    private static final List<String> OWN_OUTCOMES = List.of(
            "\"by\":", StoredEnd.HANDLED, "failed after the effect", "OutOfMemoryError", "has seen a larger token");

    private static final int REASON = 150;
    private static final int LARGE = 64 << 10;

    /** How many leases a patient client waits. */
    private static final int PATIENCE = 4;

    /** A message on its way; its key may have had an outcome before it was sent. */
    private record SentMessage(Story story, Fingerprint fingerprint, boolean hadEnded) {}

    private final Map<String, SentMessage> sent = new ConcurrentHashMap<>();
    /** Under which key the requests of later lives are judged. */
    private final Map<String, Key> otherLives = new ConcurrentHashMap<>();

    private final Map<Key, Life> lives = new ConcurrentHashMap<>();
    private final KeyEras eras = new KeyEras();
    private final Set<NodeProcess> upgraded = ConcurrentHashMap.newKeySet();
    private final ClientSide door;
    private volatile Consumer<String> onSend = name -> {};

    /** Whether requests are messages, which are delivered again when their consumer dies. */
    private final boolean messages;

    private final boolean callsEngine;
    private final Duration lease;
    private final RecoveryTimes recoveries;
    private final boolean keepsOutcomes;
    private final boolean knowsOutcomes;
    /** Then a message may be consumed by a node that still talks to the database which was replaced. */
    private final boolean failsOver;

    private final boolean locksNeighbours;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong stale = new AtomicLong();
    private final AtomicLong lateLetters = new AtomicLong();
    private final Map<Operation, History> histories = new EnumMap<>(Operation.class);
    private final Map<String, Long> reasons = new ConcurrentHashMap<>();
    private final Map<Kind, Long> replies = new ConcurrentHashMap<>();

    public Sender(ClientSide door, TorturePlan plan, RecoveryTimes recoveries) {
        this.door = door;
        this.messages = plan.door().isBroker();
        this.callsEngine = plan.door() == Door.ENGINE;
        this.lease = plan.lease();
        this.recoveries = recoveries;
        this.keepsOutcomes = Peers.keepsOutcomes(plan.system());
        this.knowsOutcomes = plan.isSemel();
        this.failsOver = plan.faults().contains(FaultKind.FAILOVER);
        this.locksNeighbours = plan.store().locksNeighbours();
        plan.operations().forEach(operation -> histories.put(operation, new History()));
    }

    /** Sets what to tell the name of each request that is about to be sent. */
    public void onSend(Consumer<String> listener) {
        onSend = listener;
    }

    public History history(Operation operation) {
        History history = histories.get(operation);
        if (history == null) {
            throw new IllegalArgumentException("operation " + operation + " is not part of this run");
        }
        return history;
    }

    /** Why requests failed, and how often. */
    public Map<String, Long> reasons() {
        return reasons;
    }

    /** Without what differs each time. */
    private static String reason(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8).replaceAll("[0-9a-f-]{8,}|\\d+", "#");
        return text.substring(0, Math.min(text.length(), REASON));
    }

    public long requests() {
        return requests.get();
    }

    public long replies(Kind kind) {
        return replies.getOrDefault(kind, 0L);
    }

    /** Sends the story, or another body under its key; completes with {@code null} if there was no answer. */
    CompletableFuture<@Nullable Kind> send(Story story, Node to, String body) {
        return send(story, to, body, door::ask);
    }

    /** Asks again how the story ends; a message is not sent again for that. */
    CompletableFuture<@Nullable Kind> retry(Story story, Node to) {
        return send(story, to, story.body(), door::askAgain);
    }

    private interface Way {
        CompletableFuture<ServiceReply> ask(int port, ServiceRequest request, Duration patience);
    }

    private CompletableFuture<@Nullable Kind> send(Story story, Node to, String body, Way way) {
        if (eras.isClosed(story.key())) {
            story.close();
            return CompletableFuture.completedFuture(null);
        }
        Life life = story.life();
        if (life != null && !life.begin()) {
            return CompletableFuture.completedFuture(null);
        }
        NodeProcess process = to.current();
        History history = history(story.operation());
        long number = requests.incrementAndGet();
        String name = "r" + number;
        Key judged = judgedKey(story);
        if (life != null) {
            lives.put(story.key(), life);
        }
        if (!judged.equals(story.key())) {
            otherLives.put(name, judged);
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        // It is not known which node will consume a message.
        int version = messages ? 1 : process.options().fingerprintVersion();
        Fingerprint fingerprint = Fingerprint.of(version, bytes);
        ServiceRequest request = new ServiceRequest(
                story.operation(),
                story.key().scope(),
                story.key().value(),
                name,
                bytes,
                story.work(),
                story.behaviour());
        Duration patience = request.isPatient() ? lease.multipliedBy(PATIENCE) : lease;
        if (upgraded.add(process) && process.options().fingerprintVersion() != 1) {
            histories.values().forEach(each -> each.deployed("another version of the fingerprint on " + to));
        }
        onSend.accept(name);
        int depositions = depositions(to);
        boolean deposed = isDeposed(to);
        history.invoke(name, judged, fingerprint);
        boolean hadEnded = story.settledAs() != null && (!messages || !failsOver);
        long sentAt = System.nanoTime();
        if (messages) {
            sent.put(name, new SentMessage(story, fingerprint, hadEnded));
        }
        return way.ask(process.port(), request, patience).handle((reply, failure) -> {
            boolean late = life != null && life.isOver();
            boolean answered = reply != null && isOver(reply);
            if (life != null) {
                life.end(answered && !late);
            }
            if (reply == null) {
                history.unknown(name);
                // What is inside an order recovers first: its time would be that of two recoveries.
                if (process.wasKilled() && story.operation() != Operation.ORDER && !messages) {
                    story.ownerDied(process.killedAt());
                }
                return null;
            }
            Kind kind = reply.kind();
            if (late || hasBeenRestored(story.key(), life, judged)) {
                // The key may have been free again.
                history.unknown(name);
                return kind;
            }
            if (kind == Kind.EXPIRED && life != null && life.isTombstone()) {
                replies.merge(kind, 1L, Long::sum);
                history.fail(name);
                return kind;
            }
            if ((saysHowThingsWere(kind) || (kind == Kind.REPLAYED && life != null && life.endsByDecision()))
                    && (deposed || isDeposed(to) || depositions != depositions(to))
                    && !story.wasToldBefore(Objects.requireNonNull(to.wire()).deposedAt())) {
                stale.incrementAndGet();
                history.unknown(name);
                return null;
            }
            if (messages && !hadEnded && kind == Kind.UNKNOWN) {
                // A message that is delivered again meets its own first attempt.
                history.unknown(name);
                story.end();
                return kind;
            }
            if (!messages
                    && (kind == Kind.IN_FLIGHT || kind == Kind.UNKNOWN)
                    && System.nanoTime() - sentAt > lease.toNanos()) {
                // It may have been its own attempt that lost the lease, and not one that it met.
                history.unknown(name);
                return kind;
            }
            if (kind == Kind.IN_FLIGHT && story.operation() == Operation.SINGLE && locksNeighbours) {
                // As docs/stores.md says, it may have met the lock of another key.
                history.unknown(name);
                return kind;
            }
            if (kind == Kind.NOT_STARTED || kind == Kind.FAILED) {
                reasons.merge(reason(reply.body()), 1L, Long::sum);
            }
            note(history, name, judged, kind, reply.body());
            tell(story, reply, fingerprint);
            return kind;
        });
    }

    /**
     * Judges a dead letter that comes when its sender has got another answer, or none. What it says is true for
     * good if it is an outcome, or that another body was first; otherwise it may have been overtaken.
     */
    public void tellLate(ServiceRequest request, ServiceReply reply) {
        SentMessage message = Objects.requireNonNull(sent.get(request.id()), request.id());
        Story story = message.story();
        Kind kind = reply.kind();
        if (kind == Kind.REPLAYED || kind == Kind.MISMATCH || message.hadEnded()) {
            History history = history(story.operation());
            // A letter can come twice.
            String name = request.id() + "-dead-" + lateLetters.incrementAndGet();
            history.invoke(name, story.key(), message.fingerprint());
            note(history, name, story.key(), kind, reply.body());
        }
        if (kind == Kind.UNKNOWN) {
            story.end();
        }
    }

    /** The store has been put back to a copy that does not have the key. */
    void beginEra(Key key) {
        eras.begin(key);
    }

    /** No more requests are sent under the key: no client knows whether the store has forgotten it. */
    void close(Key key) {
        eras.close(key);
    }

    /** Whether the store was put back to an older copy since a request was sent that is judged under this key. */
    private boolean hasBeenRestored(Key key, @Nullable Life life, Key judged) {
        return eras.isClosed(key) || (life == null && !judged.equals(eras.judged(key)));
    }

    /** The key under which requests of the story are judged that are sent now. */
    Key judgedKey(Story story) {
        Life life = story.life();
        return life == null ? eras.judged(story.key()) : life.judged();
    }

    /** A right decision about a key, which belongs to the life that the key is in. */
    public void decided(Operation operation, Key key, @Nullable Outcome outcome) {
        Life life = lives.get(key);
        history(operation).decided(life == null ? eras.judged(key) : life.judged(), outcome);
    }

    /** The effect as one of the life in which it was asked for. */
    public Effect judged(Effect effect) {
        Key judged = otherLives.get(effect.request());
        return judged == null ? effect : new Effect(judged, effect.request(), effect.attempt(), effect.token());
    }

    /** What a client gets for an outcome that is in the store. */
    Outcome told(Outcome outcome) {
        return outcome(door.told(outcome));
    }

    /** Whether nothing is left of a request with this answer; an attempt that ran out of memory is over when the engine says so. */
    private boolean isOver(ServiceReply reply) {
        return switch (reply.kind()) {
            case NOT_STARTED -> false;
            case FAILED -> callsEngine && reason(reply.body()).contains("OutOfMemoryError");
            default -> true;
        };
    }

    /**
     * Whether such an answer may come from a database that has been replaced and does not know it. It knows everything
     * that was answered before, so that only a key which ended later can be answered like this; and nothing that it is given
     * becomes durable, so that an outcome is never stale.
     */
    private static boolean saysHowThingsWere(Kind kind) {
        return kind == Kind.IN_FLIGHT || kind == Kind.UNKNOWN || kind == Kind.NOT_APPLIED;
    }

    private static boolean isDeposed(Node node) {
        DatabaseWire wire = node.wire();
        return wire != null && wire.isDeposed();
    }

    private static int depositions(Node node) {
        DatabaseWire wire = node.wire();
        return wire == null ? 0 : wire.depositions();
    }

    /** How many answers came from a database that had been replaced, and were not judged. */
    public long stale() {
        return stale.get();
    }

    private void note(History history, String name, Key key, Kind kind, byte[] body) {
        replies.merge(kind, 1L, Long::sum);
        switch (kind) {
            case NOT_STARTED -> history.fail(name);
            case FAILED -> history.unknown(name);
            case EXECUTED, EXECUTED_UNSETTLED, REPLAYED -> {
                if (knowsOutcomes && isOwn(body)) {
                    history.ended(key, outcome(body));
                }
                history.ok(name, ClientAnswer.valueOf(kind.name()), outcome(body));
            }
            default -> history.ok(name, ClientAnswer.valueOf(kind.name()), null);
        }
    }

    /** Whether this is what an operation of the service ends with, and not what failed around it. */
    static boolean isOwn(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        return OWN_OUTCOMES.stream().anyMatch(text::contains);
    }

    /** An outcome as a client sees it; of a large one, its digest. */
    public static Outcome outcome(byte[] body) {
        byte[] kept = body.length > LARGE ? Fingerprint.of(body).toString().getBytes(StandardCharsets.UTF_8) : body;
        return Outcome.succeeded().payload(kept).build();
    }

    private void tell(Story story, ServiceReply reply, Fingerprint fingerprint) {
        switch (reply.kind()) {
            case EXECUTED, REPLAYED -> {
                if (reply.attempt() > 1) {
                    story.block();
                }
                end(story, () -> story.settled(fingerprint));
            }
            case UNKNOWN -> {
                story.block();
                end(story, story::end);
            }
            case MISMATCH -> {
                // Another body was first: that one is the story now.
            }
            case IN_FLIGHT -> story.block();
            case EXECUTED_UNSETTLED -> {
                if (!keepsOutcomes) {
                    // There will never be another answer than this.
                    story.end();
                }
            }
            default -> {
                // The client has to come again.
            }
        }
    }

    /** No client waits for the end of the story any more: its recovery takes at least until now. */
    void gaveUp(Story story) {
        Long since = story.recoversSince();
        if (since != null) {
            recoveries.add(story, since, System.nanoTime());
        }
        story.giveUp();
    }

    private void end(Story story, Runnable mark) {
        Long since = story.hasEnded() ? null : story.recoversSince();
        mark.run();
        if (since != null) {
            recoveries.add(story, since, System.nanoTime());
        }
    }
}
