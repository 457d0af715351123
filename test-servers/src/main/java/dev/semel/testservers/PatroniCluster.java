package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Three PostgreSQL servers under Patroni, which keeps in etcd who leads. A commit waits for a standby, and only a standby that
 * has all commits may take over.
 */
public final class PatroniCluster implements AutoCloseable {

    public static final int SERVERS = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Path POSTGRES = Path.of("/usr/lib/postgresql");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final String CONFIGURATION = """
            scope: semel
            name: {name}
            restapi: {listen: '127.0.0.1:{api}', connect_address: '127.0.0.1:{api}'}
            etcd3: {hosts: [{etcd}]}
            bootstrap:
              dcs:
                ttl: 8
                loop_wait: 1
                retry_timeout: 3
                synchronous_mode: true
                synchronous_mode_strict: true
                postgresql:
                  use_pg_rewind: true
                  parameters:
                    fsync: 'on'
                    synchronous_commit: 'on'
                    full_page_writes: 'on'
                    wal_log_hints: 'on'
                    wal_keep_size: 256MB
                    shared_buffers: 64MB
                    max_connections: 200
              initdb: [{encoding: UTF8}, {auth: trust}]
            postgresql:
              listen: 127.0.0.1:{port}
              connect_address: 127.0.0.1:{port}
              data_dir: {directory}/data
              bin_dir: {binaries}
              pgpass: {directory}/pgpass
              authentication:
                superuser: {username: postgres, password: none}
                replication: {username: postgres, password: none}
                rewind: {username: postgres, password: none}
              pg_hba:
                - local all all trust
                - host all all 127.0.0.1/32 trust
                - host replication all 127.0.0.1/32 trust
              parameters: {unix_socket_directories: '{directory}'}
            """;

    private final EtcdCluster etcd;
    private final Path directory;
    private final List<Integer> ports = new ArrayList<>();
    private final List<Integer> apiPorts = new ArrayList<>();
    private final List<Process> managers = new ArrayList<>();

    private PatroniCluster(EtcdCluster etcd) throws IOException {
        this.etcd = etcd;
        this.directory = Files.createTempDirectory("semel-patroni");
    }

    /** The Debian package that is missing, if one is. */
    public static Optional<String> missing() {
        if (InstalledCommand.find("patroni").isEmpty()) {
            return Optional.of("there is no command patroni (Debian package patroni)");
        }
        return postgres().isEmpty()
                ? Optional.of("there is no PostgreSQL server below " + POSTGRES + " (Debian package postgresql)")
                : EtcdCluster.isInstalled() ? Optional.empty() : Optional.of(EtcdCluster.MISSING);
    }

    /** The programs of the newest PostgreSQL. */
    private static Optional<Path> postgres() {
        if (!Files.isDirectory(POSTGRES)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(POSTGRES)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(programs -> Files.isExecutable(programs.resolve("postgres")))
                    .max(Comparator.naturalOrder());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static PatroniCluster start() throws IOException {
        PatroniCluster cluster = new PatroniCluster(EtcdCluster.start());
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
        for (int server = 0; server < SERVERS; server++) {
            cluster.ports.add(TestPorts.free());
            cluster.apiPorts.add(TestPorts.free());
            cluster.managers.add(cluster.run(server));
        }
        cluster.awaitHealth();
        return cluster;
    }

    private Process run(int server) throws IOException {
        Path home = Files.createDirectories(directory.resolve("server" + server));
        String etcdServers =
                etcd.ports().stream().map(port -> "'127.0.0.1:" + port + "'").collect(Collectors.joining(","));
        Path configuration = home.resolve("patroni.yml");
        Files.writeString(
                configuration,
                CONFIGURATION
                        .replace("{name}", "server" + server)
                        .replace("{api}", apiPorts.get(server).toString())
                        .replace("{etcd}", etcdServers)
                        .replace("{port}", ports.get(server).toString())
                        .replace("{directory}", home.toString())
                        .replace("{binaries}", postgres().orElseThrow().toString()));
        String patroni = InstalledCommand.find("patroni").orElseThrow().toString();
        return new ProcessBuilder(InstalledCommand.withoutRoot(List.of(patroni, configuration.toString())))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(home.resolve("log").toFile()))
                .start();
    }

    /** Where all servers listen, the one that leads and those that follow. */
    public List<Integer> ports() {
        return ports;
    }

    /** The server that holds the lead and accepts writes; -1 if there is none at the moment. */
    public int leader() {
        return IntStream.range(0, SERVERS)
                .filter(server -> ask(server, "GET", "/primary", "").startsWith("200"))
                .findFirst()
                .orElse(-1);
    }

    /** Hands the lead over, as {@code patronictl switchover} does. Returns whether Patroni agreed. */
    public boolean switchOver(int leader) {
        return ask(leader, "POST", "/switchover", "{\"leader\": \"server" + leader + "\"}")
                .startsWith("200");
    }

    /** Kills a server with its manager, with SIGKILL, as when the machine loses power. */
    public void kill(int server) throws IOException {
        List<ProcessHandle> all = new ArrayList<>(processes(server));
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
    }

    /** Kills the manager alone. Its server goes on, and does not hear that another one leads. */
    public void killManager(int server) {
        managers.get(server).destroyForcibly().onExit().join();
    }

    public boolean isManaged(int server) {
        return managers.get(server).isAlive();
    }

    /** Starts the manager, which starts its server, or takes care of the one that runs. */
    public void revive(int server) throws IOException {
        managers.set(server, run(server));
    }

    /** Waits until one server leads, a synchronous standby has all that it has, and the third follows. */
    public void awaitHealth() {
        if (!Waiting.until(PATIENCE, this::isHealthy)) {
            throw new IllegalStateException(
                    "Patroni has no healthy servers after " + PATIENCE.toSeconds() + " s: " + members());
        }
    }

    public boolean isHealthy() {
        String members = members();
        return leader() >= 0
                && members.contains("\"role\": \"sync_standby\"")
                && members.split("\"state\": \"(running|streaming)\"", -1).length == SERVERS + 1;
    }

    private String members() {
        return IntStream.range(0, SERVERS)
                .mapToObj(server -> ask(server, "GET", "/cluster", ""))
                .filter(answer -> answer.startsWith("200"))
                .findFirst()
                .orElse("");
    }

    private String ask(int server, String method, String path, String body) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + apiPorts.get(server) + path))
                    .timeout(Duration.ofSeconds(path.equals("/switchover") ? 30 : 3))
                    .method(method, BodyPublishers.ofString(body))
                    .build();
            HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
            return response.statusCode() + response.body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** The processes of all servers and their managers. */
    public List<ProcessHandle> processes() throws IOException {
        List<ProcessHandle> all = new ArrayList<>();
        for (int server = 0; server < managers.size(); server++) {
            all.addAll(processes(server));
        }
        return all;
    }

    private List<ProcessHandle> processes(int server) throws IOException {
        Stream<ProcessHandle> postmaster = Stream.empty();
        Path file = directory.resolve("server" + server).resolve("data/postmaster.pid");
        List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
        if (!lines.isEmpty()) {
            postmaster = ProcessHandle.of(Long.parseLong(lines.get(0).trim())).stream();
        }
        return Stream.concat(Stream.of(managers.get(server).toHandle()), postmaster)
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .distinct()
                .toList();
    }

    @Override
    public void close() {
        try {
            // A manager would start its server again.
            managers.forEach(Process::destroyForcibly);
            for (int server = 0; server < managers.size(); server++) {
                kill(server);
            }
            etcd.close();
            if (Files.exists(directory)) {
                TempDirectory.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
