package dev.semel.torture.server;

import dev.semel.torture.door.DyingUpstream;
import dev.semel.torture.node.NodeOptions;
import dev.semel.torture.wire.DatabaseWire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node through all its incarnations, and its own wire to the database. */
public final class Node implements AutoCloseable {

    private static final int MAX_STARTS = 30;

    private final NodeOptions options;
    private final Map<String, String> environment;
    private final @Nullable DatabaseWire wire;
    private final @Nullable ShiftedClock clock;
    private final Path log;
    private final HttpClient http;
    private @Nullable Behind behind;
    private int incarnations;
    private volatile int fingerprintVersion = 1;
    private volatile @Nullable NodeProcess process;

    /** @param options of all incarnations, but for what each has of its own */
    public Node(
            NodeOptions options,
            Map<String, String> environment,
            @Nullable DatabaseWire wire,
            @Nullable ShiftedClock clock,
            Path log,
            HttpClient http) {
        this.options = options;
        this.environment = environment;
        this.wire = wire;
        this.clock = clock;
        this.log = log;
        this.http = http;
    }

    /**
     * What a gateway has behind it.
     *
     * @param configs its configurations, one for each release
     */
    public record Behind(DyingUpstream upstream, List<Path> configs) {}

    /** Makes the node a gateway. */
    public void putBefore(Behind service) {
        behind = service;
    }

    /** The service behind the gateway; {@code null} if the node is none. */
    public @Nullable DyingUpstream upstream() {
        Behind service = behind;
        return service == null ? null : service.upstream();
    }

    String name() {
        return options.name();
    }

    @Nullable
    public DatabaseWire wire() {
        return wire;
    }

    @Nullable
    public ShiftedClock clock() {
        return clock;
    }

    /** The incarnation that lives, or lived last. */
    public NodeProcess current() {
        NodeProcess current = process;
        if (current == null) {
            throw new IllegalStateException("node " + name() + " was never started");
        }
        return current;
    }

    public void useFingerprintVersion(int version) {
        fingerprintVersion = version;
    }

    /** Starts the node; again if a fault stopped it, as whatever supervises processes would. */
    public synchronized void start() throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                process = startOnce();
                return;
            } catch (IOException e) {
                if (tries == MAX_STARTS) {
                    throw e;
                }
            }
        }
    }

    private NodeProcess startOnce() throws IOException {
        NodeOptions next = options.incarnation(++incarnations, fingerprintVersion);
        Map<String, String> all = new HashMap<>(environment);
        if (clock != null) {
            all.putAll(clock.environment());
        }
        Behind service = behind;
        return service == null
                ? NodeProcess.start(next, all, log)
                : NodeProcess.startGateway(next, service.configs().get(next.fingerprintVersion() - 1), all, log);
    }

    /** Does something to the node from inside, see {@code ControlHandler}; {@code false} if it died before it answered. */
    public boolean control(String what, Object argument) throws InterruptedException {
        DyingUpstream service = upstream();
        if (service != null) {
            service.arm(argument.toString());
            return true;
        }
        URI uri = URI.create("http://127.0.0.1:" + current().port() + "/control/" + what + "/" + argument);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(5))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            http.send(request, HttpResponse.BodyHandlers.discarding());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Waits until the current incarnation is dead; {@code false} if it still lives when the time is over. */
    public boolean awaitDeath(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (current().isAlive() && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return !current().isAlive();
    }

    public void kill() {
        NodeProcess last = process;
        if (last != null) {
            last.kill();
        }
    }

    @Override
    public void close() throws IOException {
        kill();
        if (wire != null) {
            wire.close();
        }
        DyingUpstream service = upstream();
        if (service != null) {
            service.close();
        }
    }
}
