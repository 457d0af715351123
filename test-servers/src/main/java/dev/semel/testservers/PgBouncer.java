package dev.semel.testservers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A connection pooler in transaction mode, with fewer sessions than clients, so that each statement gets another one. */
public final class PgBouncer implements AutoCloseable {

    private static final String CONFIGURATION = """
            [databases]
            * = host=127.0.0.1 port=%d user=postgres
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = 3
            max_client_conn = 200
            ignore_startup_parameters = extra_float_digits
            """;

    private final Process process;
    private final Path directory;
    private final int port;

    private PgBouncer(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    /** What is missing where {@link #isInstalled} is not true. */
    public static final String MISSING = "there is no command pgbouncer (Debian package pgbouncer)";

    public static boolean isInstalled() {
        return InstalledCommand.find("pgbouncer").isPresent();
    }

    public static PgBouncer start(int serverPort) throws IOException {
        int port = TestPorts.free();
        // Readable for everybody: it gives up being root before it reads its configuration again.
        Path directory = Files.createTempDirectory(
                "pgbouncer", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Path configuration = directory.resolve("pgbouncer.ini");
        Files.writeString(configuration, String.format(CONFIGURATION, serverPort, port));
        String pgbouncer = InstalledCommand.find("pgbouncer").orElseThrow().toString();
        List<String> command = "root".equals(System.getProperty("user.name"))
                ? List.of(pgbouncer, "-u", "nobody", configuration.toString())
                : List.of(pgbouncer, configuration.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        PgBouncer pooler = new PgBouncer(process, directory, port);
        if (!Waiting.until(Duration.ofSeconds(30), pooler::accepts)) {
            throw new IOException("pgbouncer did not start: " + Files.readString(directory.resolve("log")));
        }
        return pooler;
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().orTimeout(10, java.util.concurrent.TimeUnit.SECONDS).join();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
