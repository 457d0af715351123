package dev.semel.torture.server;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.testkit.history.Effect;
import dev.semel.testkit.history.Guarantee;
import dev.semel.testkit.history.Violation;
import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.service.Business;
import dev.semel.torture.service.HashedKeys;
import dev.semel.torture.service.LedgerClient;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The outside world: it notes every effect that a node has, and outlives every node.
 *
 * <p>For operations that may run again it understands fencing: an effect with a smaller token than one it has seen for
 * the key is refused, and does not happen. So is one for a key that was closed, because an operator or a reconciler
 * has learned that it had not happened, and one that comes when its key may have been forgotten.
 */
public final class Ledger implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("ledger"));
    private final Map<Operation, List<Effect>> effects = new EnumMap<>(Operation.class);
    private final Map<Key, Long> largestTokens = new HashMap<>();
    private final Map<Key, byte[]> outcomes = new HashMap<>();
    private final ClosedKeys closed = new ClosedKeys();
    private final Map<Key, Map<String, String>> steps = new HashMap<>();
    private final Breaches breaches = new Breaches();
    private final HashedKeys keys = new HashedKeys();
    private long refusedAfter = Long.MAX_VALUE;
    private final AtomicLong fencedWrites = new AtomicLong();
    private final AtomicLong fencedEffects = new AtomicLong();
    private volatile BiConsumer<String, String> onFailpoint = (node, point) -> {};
    private volatile BiConsumer<String, String> onStop = (node, point) -> {};
    private volatile LongSupplier lastRequest = () -> {
        throw new IllegalStateException("the requests are not counted: call countRequestsBy first");
    };
    private volatile LateView lateView = LateView.ofNothing();
    private volatile DecisionListener onDecision = (operation, key, outcome) -> {};

    /** Gets every right decision about a key; without an outcome, its operation has not taken place. */
    public interface DecisionListener {
        void decided(Operation operation, Key key, @Nullable Outcome outcome);
    }

    public Ledger() throws IOException {
        threads.execute(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Sets what to call, with the names of the node and the point, when a node has come to an armed failpoint. */
    public void onFailpoint(BiConsumer<String, String> listener) {
        onFailpoint = listener;
    }

    /** Sets what to call, with the same names, at a point where the node is to be suspended; the node goes on after that. */
    public void onStop(BiConsumer<String, String> listener) {
        onStop = listener;
    }

    /** Where to get the number of the last request that was sent. */
    public void countRequestsBy(LongSupplier requests) {
        lastRequest = requests;
    }

    public void onDecision(DecisionListener listener) {
        onDecision = listener;
    }

    /** Says what a person is about to do with a key, after having looked here. */
    public void decided(Operation operation, Key key, @Nullable Outcome outcome) {
        onDecision.decided(operation, key, outcome);
    }

    /**
     * The outcome that belongs to the key's effect. If it has none, no request that was sent until now can have it any more.
     */
    public synchronized Optional<byte[]> close(Key key) {
        byte[] outcome = outcomes.get(key);
        if (outcome == null) {
            closed.close(key, lastRequest.getAsLong());
            steps.remove(key);
            breaches.tell(key, "closed for requests up to " + lastRequest.getAsLong());
        }
        return Optional.ofNullable(outcome);
    }

    /** What the keys of records are called that filters make of bodies. */
    public HashedKeys keys() {
        return keys;
    }

    /** From now on, the effects of some keys are shown late, in proportion to the lease. */
    public void showLate(Duration lease) {
        lateView = new LateView(lease);
    }

    /** A client is about to send this request. */
    public void sends(String request) {
        lateView.sends(request);
    }

    /** The same for a reconciler, who then decides accordingly. */
    private String reconcile(Operation operation, Key key) {
        LateView late = lateView;
        if (late.concerns(operation, key) && !late.isShown(key)) {
            return LedgerClient.LATE + late.allShownAfter().toMillis();
        }
        Optional<byte[]> outcome = close(key);
        decided(
                operation,
                key,
                outcome.map(payload -> Outcome.succeeded().payload(payload).build())
                        .orElse(null));
        return outcome.map(Base64.getEncoder()::encodeToString).orElse("NONE");
    }

    /**
     * Lets the key have effects again, as if it had had none: no longer of requests that were sent until now, and of none after
     * {@code end}, as {@link System#nanoTime} counts.
     */
    public synchronized void beginLife(Key key, long end) {
        closed.closeAt(key, end);
        beginAgain(key);
        breaches.tell(key, "a new life, for requests after " + lastRequest.getAsLong());
    }

    /**
     * Lets the key of a store that has forgotten it have effects again, as if it had had none: no longer of requests that were sent
     * until now. Tokens of the key may be smaller than before.
     */
    public synchronized void forget(Key key) {
        beginAgain(key);
        largestTokens.remove(key);
        lateView.forget(key);
        breaches.tell(key, "forgotten by the store, for requests after " + lastRequest.getAsLong());
    }

    private void beginAgain(Key key) {
        closed.close(key, lastRequest.getAsLong());
        steps.remove(key);
        outcomes.remove(key);
    }

    /** The key has no further effects. */
    public synchronized void closeForever(Key key) {
        closed.closeAt(key, System.nanoTime());
        breaches.tell(key, "closed for all requests");
    }

    /** From now on it is a violation if something runs that is asked for later, because all claims have to be refused. */
    public synchronized void beginRefusal() {
        refusedAfter = lastRequest.getAsLong();
    }

    public synchronized void endRefusal() {
        refusedAfter = Long.MAX_VALUE;
    }

    public synchronized List<Effect> effects(Operation operation) {
        return List.copyOf(effects.getOrDefault(operation, List.of()));
    }

    /** How many writes of attempts without a lease the store has refused, as nodes have told. */
    public long fencedWrites() {
        return fencedWrites.get();
    }

    /** How many late effects this ledger has refused. */
    public long fencedEffects() {
        return fencedEffects.get();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new IllegalStateException("the ledger cannot be reached any more", e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (line != null) {
                String answer = note(line.split(" "));
                socket.getOutputStream().write((answer + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // The node died: whether it sent its line is what counts, not whether it hears the answer.
            return;
        }
    }

    private String note(String[] words) {
        switch (words[0]) {
            case "EFFECT" -> {
                Effect effect = new Effect(
                        Key.of(words[2], words[3]), words[4], Integer.parseInt(words[5]), Long.parseLong(words[6]));
                byte[] outcome = words.length > 7 ? Base64.getDecoder().decode(words[7]) : new byte[0];
                return note(Operation.valueOf(words[1]), effect, outcome);
            }
            case "STEP" ->
                noteStep(
                        Operation.valueOf(words[1]),
                        Key.of(words[2], words[3]),
                        words[4],
                        Long.parseLong(words[5]),
                        words[6],
                        words[7]);
            case "RECONCILE" -> {
                return reconcile(Operation.valueOf(words[1]), keys.asSent(Key.of(words[2], words[3])));
            }
            case "NOT-EXECUTED" -> decided(Operation.valueOf(words[1]), keys.asSent(Key.of(words[2], words[3])), null);
            case "WITHOUT-LEASE" ->
                breaches.add(
                        Operation.valueOf(words[1]),
                        Guarantee.G3,
                        Key.of(words[2], words[3]),
                        "the operation of " + words[4] + " began although its lease was known to be lost");
            case "POINT" -> onFailpoint.accept(words[1], words[2]);
            case "STOP" -> onStop.accept(words[1], words[2]);
            case "FENCED" -> fencedWrites.incrementAndGet();
            default -> throw new IllegalArgumentException("the ledger does not understand " + words[0]);
        }
        return "OK";
    }

    private synchronized String note(Operation operation, Effect effect, byte[] outcome) {
        LateView late = lateView;
        boolean shownLate = late.concerns(operation, effect.key());
        if (closed.isClosed(effect.key(), effect.request()) || (shownLate && late.isTooLate(effect.request()))) {
            fencedEffects.incrementAndGet();
            breaches.tell(effect.key(), "refused, as closed: " + effect);
            return "CLOSED";
        }
        if (operation.mayRunAgain()) {
            long largest = largestTokens.merge(effect.key(), effect.token(), Math::max);
            if (effect.token() < largest) {
                fencedEffects.incrementAndGet();
                breaches.tell(effect.key(), "refused, as too late: " + effect);
                return "FENCED";
            }
        }
        breaches.tell(effect.key(), effect.toString());
        if (steps.getOrDefault(effect.key(), Map.of()).containsKey(Business.EFFECT)) {
            breaches.add(operation, Guarantee.G5, effect.key(), "a recorded step ran again");
        }
        if (shownLate) {
            late.hasEffect(effect.key());
        }
        if (ClosedKeys.number(effect.request()) > refusedAfter) {
            breaches.add(
                    operation, Guarantee.G5, effect.key(), "it ran before the loss of older keys was acknowledged");
        }
        outcomes.put(effect.key(), outcome);
        effects.computeIfAbsent(operation, any -> new ArrayList<>()).add(effect);
        return "OK";
    }

    /** A step is recorded once: every later caller gets the same. */
    private synchronized void noteStep(
            Operation operation, Key key, String request, long token, String step, String result) {
        if (closed.isClosed(key, request)) {
            return;
        }
        breaches.tell(key, "step " + step + " of " + request + ", token " + token + ", gives " + result);
        String before = steps.computeIfAbsent(key, any -> new HashMap<>()).putIfAbsent(step, result);
        if (before != null && !before.equals(result)) {
            breaches.add(operation, Guarantee.G3, key, "a recorded step has another result");
        }
    }

    /**
     * Steps that ran again, or changed, after they had been recorded, operations that began too late, and effects while all claims
     * had to be refused.
     */
    public List<Violation> breaches(Operation operation) {
        return breaches.of(operation);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        threads.shutdownNow();
    }
}
