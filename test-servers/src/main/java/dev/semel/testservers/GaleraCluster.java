package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three MariaDB servers that replicate each commit to each other before they acknowledge it. Each accepts writes. */
public final class GaleraCluster implements AutoCloseable {

    public static final int SERVERS = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern RECOVERED = Pattern.compile("Recovered position:\\s*(\\S+)");
    private static final Path PROVIDER = Path.of("/usr/lib/galera/libgalera_smm.so");

    private final Path directory;
    private final List<Ports> ports = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    /** Of one server: for clients, for the group, for what a server missed, and for whole copies. */
    private record Ports(int client, int group, int missed, int copy) {

        static Ports free() throws IOException {
            return new Ports(TestPorts.free(), TestPorts.free(), TestPorts.free(), TestPorts.free());
        }
    }

    private GaleraCluster() throws IOException {
        directory = Files.createTempDirectory("semel-galera");
        for (int server = 0; server < SERVERS; server++) {
            ports.add(Ports.free());
            Files.createDirectories(home(server).resolve("data"));
            Files.createDirectories(home(server).resolve("tmp"));
        }
    }

    /** The Debian package that is missing, if one is. */
    public static Optional<String> missing() {
        if (InstalledCommand.find("mariadbd").isEmpty()
                || InstalledCommand.find("mariadb-install-db").isEmpty()) {
            return Optional.of("there is no command mariadbd (Debian package mariadb-server)");
        }
        if (!Files.exists(PROVIDER)) {
            return Optional.of("there is no " + PROVIDER + " (Debian package galera-4)");
        }
        return InstalledCommand.find("rsync").isPresent()
                ? Optional.empty()
                : Optional.of("there is no command rsync (Debian package rsync)");
    }

    public static GaleraCluster start() throws IOException, InterruptedException {
        GaleraCluster cluster = new GaleraCluster();
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
        cluster.install();
        cluster.processes.add(cluster.run(0, "--wsrep-new-cluster"));
        Waiting.require("the start of the first server", PATIENCE, () -> cluster.isSynced(0));
        for (int server = 1; server < SERVERS; server++) {
            int joining = server;
            cluster.processes.add(cluster.run(server));
            Waiting.require("the start of another server", PATIENCE, () -> cluster.isSynced(joining));
        }
        cluster.awaitHealth();
        return cluster;
    }

    /** The others get their data from the first one. */
    private void install() throws IOException, InterruptedException {
        Path log = directory.resolve("install.log");
        Process install = new ProcessBuilder(
                        InstalledCommand.find("mariadb-install-db")
                                .orElseThrow()
                                .toString(),
                        "--no-defaults",
                        "--user=" + System.getProperty("user.name"),
                        "--datadir=" + home(0).resolve("data"),
                        "--auth-root-authentication-method=normal",
                        "--skip-test-db")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (install.waitFor() != 0) {
            throw new IOException("mariadb-install-db failed: " + Files.readString(log));
        }
    }

    private Path home(int server) {
        return directory.resolve("server" + server);
    }

    private Process run(int server, String... more) throws IOException {
        return start(
                command(server, more),
                ProcessBuilder.Redirect.appendTo(home(server).resolve("log").toFile()));
    }

    private List<String> command(int server, String... more) throws IOException {
        Path home = home(server);
        Ports own = ports.get(server);
        String group = ports.stream()
                .map(each -> "127.0.0.1:" + each.group())
                .collect(Collectors.joining(",", "gcomm://", ""));
        List<String> command = new ArrayList<>(List.of(
                InstalledCommand.find("mariadbd").orElseThrow().toString(),
                "--no-defaults",
                "--datadir=" + home.resolve("data"),
                "--tmpdir=" + home.resolve("tmp"),
                "--socket=" + home.resolve("socket"),
                "--pid-file=" + home.resolve("pid"),
                "--bind-address=127.0.0.1",
                "--port=" + own.client(),
                "--skip-name-resolve",
                "--skip-grant-tables",
                "--innodb-flush-log-at-trx-commit=1",
                "--innodb-buffer-pool-size=64M",
                "--innodb-autoinc-lock-mode=2",
                "--binlog-format=ROW",
                "--max-connections=200",
                "--wsrep-on=ON",
                "--wsrep-provider=" + PROVIDER,
                "--wsrep-cluster-name=semel",
                "--wsrep-cluster-address=" + group,
                "--wsrep-node-name=server" + server,
                "--wsrep-node-address=127.0.0.1:" + own.group(),
                "--wsrep-node-incoming-address=127.0.0.1:" + own.client(),
                "--wsrep-sst-method=rsync",
                "--wsrep-sst-receive-address=127.0.0.1:" + own.copy(),
                "--wsrep-provider-options=base_port=" + own.group() + ";gmcast.listen_addr=tcp://127.0.0.1:"
                        + own.group()
                        + ";ist.recv_addr=127.0.0.1:" + own.missed()
                        + ";gcache.size=64M;gcache.recover=yes"
                        // Half of the default: a server that says nothing is left out after so long.
                        + ";evs.keepalive_period=PT0.5S;evs.suspect_timeout=PT2.5S;evs.inactive_timeout=PT5S"));
        command.addAll(List.of(more));
        return command;
    }

    private static Process start(List<String> command, ProcessBuilder.Redirect log) throws IOException {
        return new ProcessBuilder(InstalledCommand.withoutRoot(command))
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
    }

    /** Where the servers listen. */
    public List<Integer> ports() {
        return ports.stream().map(Ports::client).toList();
    }

    public String url(int server) {
        return "jdbc:mariadb://127.0.0.1:" + ports.get(server).client()
                + "/?user=root&connectTimeout=1000&socketTimeout=5000";
    }

    /** Kills a server with SIGKILL. */
    public void kill(int server) throws InterruptedException {
        destroy(server);
        processes.get(server).waitFor();
    }

    /** With what it has started, such as the copying of its data. */
    private void destroy(int server) {
        processes.get(server).descendants().forEach(ProcessHandle::destroyForcibly);
        processes.get(server).destroyForcibly();
    }

    /** Asks a server to end, so that it says goodbye to the others. */
    public void stop(int server) throws InterruptedException {
        processes.get(server).destroy();
        if (!processes.get(server).waitFor(30, TimeUnit.SECONDS)) {
            kill(server);
        }
    }

    public boolean isAlive(int server) {
        return processes.get(server).isAlive();
    }

    /**
     * Starts a server that has ended. It joins those that are there; if all were killed, all have to be started. A server
     * that was killed does not know its last commit. Galera then takes any server for the newest one, so the position is
     * read from InnoDB first, as Debian's unit does.
     */
    public void revive(int server) throws IOException, InterruptedException {
        Path log = home(server).resolve("recovery.log");
        start(command(server, "--wsrep-recover"), ProcessBuilder.Redirect.to(log.toFile()))
                .waitFor();
        Matcher position = RECOVERED.matcher(Files.readString(log));
        if (!position.find()) {
            throw new IOException("server " + server + " did not print its last position: " + Files.readString(log));
        }
        processes.set(server, run(server, "--wsrep-start-position=" + position.group(1)));
    }

    /** Waits until every server belongs to the group, and has applied all that happened. */
    public void awaitHealth() {
        Waiting.require(
                "the recovery of Galera",
                PATIENCE,
                () -> IntStream.range(0, SERVERS).allMatch(this::isSynced));
    }

    private boolean isSynced(int server) {
        String query = "SHOW GLOBAL STATUS WHERE variable_name IN ('wsrep_local_state_comment', 'wsrep_ready')";
        try (Connection connection = DriverManager.getConnection(url(server));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> states = new ArrayList<>();
            while (rows.next()) {
                states.add(rows.getString(2));
            }
            return states.containsAll(List.of("Synced", "ON"));
        } catch (SQLException e) {
            return false;
        }
    }

    public List<ProcessHandle> processes() {
        return processes.stream().map(Process::toHandle).toList();
    }

    @Override
    public void close() {
        for (int server = 0; server < processes.size(); server++) {
            destroy(server);
        }
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
