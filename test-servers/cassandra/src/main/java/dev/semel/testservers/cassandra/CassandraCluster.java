package dev.semel.testservers.cassandra;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster of three Cassandra servers, each a process of its own, on 127.0.0.1 to 127.0.0.3. */
public final class CassandraCluster implements AutoCloseable {

    private static final int NODES = 3;
    private static final long START_NANOS = TimeUnit.MINUTES.toNanos(4);
    private static final List<String> TOKENS =
            List.of("-9223372036854775808", "-3074457345618258603", "3074457345618258602");

    private final Path directory;
    private final String heap;
    private final int port;
    private final int storagePort;
    private final List<Process> processes = new ArrayList<>();

    private CassandraCluster(String heap) throws IOException {
        this.heap = heap;
        directory = Files.createTempDirectory("cassandra");
        port = freePort();
        storagePort = freePort();
    }

    /** Whether this machine has a Java that Cassandra runs on: 17, and no newer one. */
    public static boolean isPossible() {
        return java17().isPresent();
    }

    private static Optional<Path> java17() {
        if (Runtime.version().feature() == 17) {
            return Optional.of(Path.of(System.getProperty("java.home")));
        }
        Path homes = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(homes)) {
            return Optional.empty();
        }
        try (Stream<Path> found = Files.list(homes)) {
            return found.filter(home -> home.getFileName().toString().contains("17")
                            && Files.isExecutable(home.resolve("bin/java")))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts the three servers at the same time, and waits until each knows the others.
     *
     * @param heap of each server, such as {@code 320m}
     */
    public static CassandraCluster start(String heap) {
        CassandraCluster cluster = null;
        try {
            cluster = new CassandraCluster(heap);
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
            for (int node = 0; node < NODES; node++) {
                cluster.processes.add(cluster.run(node));
            }
            for (int node = 0; node < NODES; node++) {
                cluster.awaitStart(node);
            }
            return cluster;
        } catch (IOException | InterruptedException e) {
            if (cluster != null) {
                cluster.close();
            }
            throw new IllegalStateException("Cassandra did not start", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private static String address(int node) {
        return "127.0.0." + (node + 1);
    }

    /** Each server with its port. */
    public List<String> hosts() {
        return IntStream.range(0, NODES)
                .mapToObj(node -> address(node) + ":" + port)
                .toList();
    }

    /** The URL of a store in this cluster, whose keyspace is created if it is not there. */
    public String storeUrl(String keyspace) {
        return "cassandra://" + String.join(",", hosts()) + "/" + keyspace + "?createIfMissing=true";
    }

    private Process run(int node) throws IOException {
        Path home = Files.createDirectories(directory.resolve("node" + node));
        String seeds = IntStream.range(0, NODES)
                .mapToObj(seed -> address(seed) + ":" + storagePort)
                .collect(Collectors.joining(","));
        Path yaml = home.resolve("cassandra.yaml");
        Files.writeString(
                yaml,
                resource("cassandra.yaml")
                        .replace("@TOKEN@", TOKENS.get(node))
                        .replace("@SEEDS@", seeds)
                        .replace("@ADDRESS@", address(node))
                        .replace("@STORAGE_PORT@", Integer.toString(storagePort))
                        .replace("@PORT@", Integer.toString(port))
                        .replace("@DIRECTORY@", home.toString()));
        Path logging = home.resolve("logback.xml");
        Files.writeString(logging, resource("logback.xml"));
        List<String> command = new ArrayList<>();
        command.add(java17().orElseThrow().resolve("bin/java").toString());
        resource("jvm.options").lines().forEach(command::add);
        command.addAll(List.of(
                "-Xms" + heap,
                "-Xmx" + heap,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dcassandra.config=" + yaml.toUri(),
                "-Dcassandra.storagedir=" + home,
                "-Dlogback.configurationFile=" + logging,
                "-Dcassandra.ring_delay_ms=1000",
                "-Dcassandra.skip_wait_for_gossip_to_settle=0",
                "-Dcassandra-foreground=yes",
                "-cp",
                resource("classpath").strip(),
                "org.apache.cassandra.service.CassandraDaemon"));
        Files.deleteIfExists(log(node));
        return new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log(node).toFile())
                .start();
    }

    private Path log(int node) {
        return directory.resolve("node" + node + ".log");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = CassandraCluster.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void awaitStart(int node) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!accepts(node) || !knowsTheOthers(node)) {
            if (!processes.get(node).isAlive() || System.nanoTime() - begun > START_NANOS) {
                throw new IOException("Cassandra did not start: " + Files.readString(log(node)));
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private boolean accepts(int node) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address(node), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean knowsTheOthers(int node) throws IOException {
        String log = Files.readString(log(node));
        return IntStream.range(0, NODES)
                .filter(other -> other != node && processes.get(other).isAlive())
                .allMatch(other -> log.contains("/" + address(other) + ":" + storagePort + " is now UP"));
    }

    public boolean isAlive(int node) {
        return processes.get(node).isAlive();
    }

    public List<ProcessHandle> processes() {
        return processes.stream().map(Process::toHandle).toList();
    }

    /** Kills a server with SIGKILL. */
    public void kill(int node) throws InterruptedException {
        processes.get(node).destroyForcibly().waitFor();
    }

    /** Starts a server that was killed, with the data that it had. */
    public void restart(int node) throws IOException, InterruptedException {
        processes.set(node, run(node));
        awaitStart(node);
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        if (!Files.exists(directory)) {
            return;
        }
        try {
            for (Process process : processes) {
                process.waitFor(10, TimeUnit.SECONDS);
            }
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
