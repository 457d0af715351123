package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cluster of three etcd servers, each a process of its own on loopback. */
public final class EtcdCluster implements AutoCloseable {

    private static final int NODES = 3;
    /** What is missing where {@link #isInstalled} is not true. */
    public static final String MISSING = "there is no command etcd (Debian package etcd-server)";

    private static final int OK = 200;

    private static final Duration MANAGING = Duration.ofSeconds(10);
    private static final Duration CHANGING = Duration.ofSeconds(60);

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Path directory;
    private final List<Integer> clientPorts;
    private final List<Integer> peerPorts;
    private final List<Process> processes = new ArrayList<>();
    private final Set<Integer> replaced = ConcurrentHashMap.newKeySet();

    private EtcdCluster() throws IOException {
        directory = Files.createTempDirectory("etcd");
        List<Integer> ports = freePorts(2 * NODES);
        clientPorts = ports.subList(0, NODES);
        peerPorts = ports.subList(NODES, 2 * NODES);
    }

    public static boolean isInstalled() {
        return InstalledCommand.find("etcd").isPresent();
    }

    public static EtcdCluster start() {
        try {
            EtcdCluster cluster = new EtcdCluster();
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
            for (int node = 0; node < NODES; node++) {
                cluster.processes.add(cluster.run(node));
            }
            cluster.awaitHealth();
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }

    private Process run(int node) throws IOException {
        String client = url(clientPorts.get(node));
        String peer = url(peerPorts.get(node));
        String members = IntStream.range(0, NODES)
                .mapToObj(i -> "node" + i + "=" + url(peerPorts.get(i)))
                .collect(Collectors.joining(","));
        return new ProcessBuilder(
                        InstalledCommand.find("etcd").orElseThrow().toString(),
                        "--name=node" + node,
                        "--data-dir=" + directory.resolve("node" + node),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=" + members,
                        "--initial-cluster-state=" + (replaced.contains(node) ? "existing" : "new"),
                        // Twice the default, for a machine that is busy with other tests.
                        "--heartbeat-interval=200",
                        "--election-timeout=2000",
                        "--log-level=error")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("node" + node + ".log").toFile())
                .start();
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    public List<URI> endpoints() {
        return clientPorts.stream().map(port -> URI.create(url(port))).toList();
    }

    /** The URL of a store in this cluster. */
    public String storeUrl(String prefix) {
        return clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",", "etcd://", "/"))
                + prefix;
    }

    /** Kills a server with SIGKILL. */
    public void kill(int node) throws InterruptedException {
        processes.get(node).destroyForcibly().waitFor();
    }

    public void restart(int node) throws IOException {
        processes.set(node, run(node));
        awaitHealth();
    }

    /** Starts a server that was killed, but does not wait for the others. */
    public void revive(int node) throws IOException {
        processes.set(node, run(node));
    }

    /** Kills a server, and lets a new one without data join the others in its place. */
    public void replace(int node) throws IOException, InterruptedException {
        kill(node);
        URI other = endpoints().get((node + 1) % NODES);
        Pattern member = Pattern.compile("\"ID\":\"(\\d+)\",\"name\":\"node" + node + "\"");
        Waiting.require(
                "the removal of a server of etcd",
                CHANGING,
                () -> change(
                        other,
                        "remove",
                        members -> member.matcher(members)
                                .results()
                                .findFirst()
                                .map(known -> "{\"ID\": \"" + known.group(1) + "\"}")));
        String peers = "[\"" + url(peerPorts.get(node)) + "\"]";
        Waiting.require(
                "the addition of a server of etcd",
                CHANGING,
                () -> change(
                        other,
                        "add",
                        members -> members.contains(peers)
                                ? Optional.empty()
                                : Optional.of("{\"peerURLs\": " + peers + "}")));
        TempDirectory.delete(directory.resolve("node" + node));
        replaced.add(node);
        processes.set(node, run(node));
    }

    /**
     * Asks the server to change its members, and returns whether they have changed. Servers refuse that, or do not answer, while they
     * elect a leader, and for 5 seconds after a connection between them was lost.
     *
     * @param wanted gets the list of members, and returns what to ask for, if they have not changed yet
     */
    private static boolean change(URI server, String what, Function<String, Optional<String>> wanted) {
        try {
            Optional<String> body = wanted.apply(manage(server, "list", "{}"));
            if (body.isEmpty()) {
                return true;
            }
            manage(server, what, body.get());
            return false;
        } catch (IOException e) {
            // It may have changed them anyway.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while etcd changed its members", e);
        }
    }

    private static String manage(URI server, String what, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/v3/cluster/member/" + what))
                .timeout(MANAGING)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
        if (response.statusCode() != OK) {
            throw new IOException("etcd refuses to " + what + " a member: " + response.body());
        }
        return response.body();
    }

    /** Waits until every server answers that it has a leader. */
    public void awaitHealth() {
        Waiting.require(
                "the start of etcd",
                Duration.ofSeconds(60),
                () -> processes.stream().allMatch(Process::isAlive)
                        && endpoints().stream().allMatch(EtcdCluster::isHealthy));
    }

    public boolean isAlive(int node) {
        return processes.get(node).isAlive();
    }

    /** The server that leads; -1 if none says so. */
    public int leader() {
        return IntStream.range(0, NODES)
                .filter(node -> ask(endpoints().get(node), "/metrics").contains("etcd_server_is_leader 1"))
                .findFirst()
                .orElse(-1);
    }

    public List<Integer> ports() {
        return clientPorts;
    }

    public List<ProcessHandle> processes() {
        return processes.stream().map(Process::toHandle).toList();
    }

    private static boolean isHealthy(URI server) {
        return ask(server, "/health").contains("true");
    }

    private static String ask(URI server, String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return HTTP.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
        if (!Files.exists(directory)) {
            return;
        }
        try {
            TempDirectory.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
