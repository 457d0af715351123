package dev.semel.torture.server;

import dev.semel.Key;
import dev.semel.testkit.history.Effect;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * The outside world: it notes every effect that a node has, and outlives every node.
 *
 * <p>For operations that may run again it understands fencing: an effect with a smaller token than one it has seen for
 * the key is refused, and does not happen.
 */
public final class Ledger implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("ledger"));
    private final Map<Operation, List<Effect>> effects = new EnumMap<>(Operation.class);
    private final Map<Key, Long> largestTokens = new HashMap<>();
    private final AtomicLong fencedWrites = new AtomicLong();
    private final AtomicLong fencedEffects = new AtomicLong();
    private volatile BiConsumer<String, String> onFailpoint = (node, point) -> {};

    public Ledger() throws IOException {
        threads.execute(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Who is told, with the node's name and the point's, that a node has come to an armed failpoint. */
    public void onFailpoint(BiConsumer<String, String> listener) {
        onFailpoint = listener;
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
                return note(Operation.valueOf(words[1]), effect) ? "OK" : "FENCED";
            }
            case "POINT" -> onFailpoint.accept(words[1], words[2]);
            case "FENCED" -> fencedWrites.incrementAndGet();
            default -> throw new IllegalArgumentException("the ledger does not understand " + words[0]);
        }
        return "OK";
    }

    private synchronized boolean note(Operation operation, Effect effect) {
        if (operation.mayRunAgain()) {
            long largest = largestTokens.merge(effect.key(), effect.token(), Math::max);
            if (effect.token() < largest) {
                fencedEffects.incrementAndGet();
                return false;
            }
        }
        effects.computeIfAbsent(operation, any -> new ArrayList<>()).add(effect);
        return true;
    }

    @Override
    public void close() throws IOException {
        listening.close();
        threads.shutdownNow();
    }
}
