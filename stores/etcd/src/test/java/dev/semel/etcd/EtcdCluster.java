package dev.semel.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.etcd.jetcd.Client;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A cluster of three etcd servers, each a process of its own on loopback. */
final class EtcdCluster implements AutoCloseable {

    private static final int NODES = 3;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Path directory;
    private final List<Integer> clientPorts;
    private final List<Integer> peerPorts;
    private final List<Process> processes = new ArrayList<>();

    private EtcdCluster() throws IOException {
        directory = Files.createTempDirectory("etcd");
        List<Integer> ports = freePorts(2 * NODES);
        clientPorts = ports.subList(0, NODES);
        peerPorts = ports.subList(NODES, 2 * NODES);
    }

    /** The cluster that the test classes of a process share; they skip where etcd is not installed. */
    static EtcdCluster shared() {
        assumeTrue(command().isPresent(), "there is no command etcd (Debian package etcd-server)");
        return Shared.CLUSTER;
    }

    /** A client of that cluster, which they share as well: some run side by side. */
    static Client client() {
        shared();
        return SharedClient.CLIENT;
    }

    private static final class SharedClient {
        static final Client CLIENT =
                Client.builder().endpoints(Shared.CLUSTER.endpoints()).build();
    }

    private static final class Shared {
        static final EtcdCluster CLUSTER = start();

        private static EtcdCluster start() {
            EtcdCluster cluster = EtcdCluster.start();
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
            return cluster;
        }
    }

    static EtcdCluster start() {
        assumeTrue(command().isPresent(), "there is no command etcd (Debian package etcd-server)");
        try {
            EtcdCluster cluster = new EtcdCluster();
            for (int node = 0; node < NODES; node++) {
                cluster.processes.add(cluster.run(node));
            }
            cluster.awaitHealth();
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> command() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(place -> Path.of(place, "etcd"))
                .filter(Files::isExecutable)
                .findFirst();
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
                        command().orElseThrow().toString(),
                        "--name=node" + node,
                        "--data-dir=" + directory.resolve("node" + node),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=" + members,
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

    List<URI> endpoints() {
        return clientPorts.stream().map(port -> URI.create(url(port))).toList();
    }

    /** The URL of a store in this cluster. */
    String storeUrl(String prefix) {
        return clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",", "etcd://", "/"))
                + prefix;
    }

    /** Kills a server with SIGKILL. */
    void kill(int node) throws InterruptedException {
        processes.get(node).destroyForcibly().waitFor();
    }

    void restart(int node) throws IOException {
        processes.set(node, run(node));
        awaitHealth();
    }

    /** Waits until every server that runs answers that it has a leader. */
    private void awaitHealth() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            for (int node = 0; node < NODES; node++) {
                if (!processes.get(node).isAlive()) {
                    throw new IOException("etcd ended: " + Files.readString(directory.resolve("node" + node + ".log")));
                }
            }
            return endpoints().stream().allMatch(EtcdCluster::isHealthy);
        });
    }

    private static boolean isHealthy(URI server) {
        try {
            HttpRequest request = HttpRequest.newBuilder(server.resolve("/health"))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return HTTP.send(request, BodyHandlers.ofString()).body().contains("true");
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Process process : processes) {
                process.waitFor(10, TimeUnit.SECONDS);
            }
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
