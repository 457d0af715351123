package dev.semel.torture.server;

import dev.semel.cli.SemelCommand;
import dev.semel.torture.node.NodeMain;
import dev.semel.torture.node.NodeOptions;
import dev.semel.torture.process.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One incarnation of a node: a process from its start to its death. */
public final class NodeProcess {

    private static final long NEVER = Long.MAX_VALUE;
    private static final long POLL_NANOS = 50_000_000;

    private final NodeOptions options;
    private final Process process;
    private final int port;
    private volatile long killedAt = NEVER;

    private NodeProcess(NodeOptions options, Process process, int port) {
        this.options = options;
        this.process = process;
        this.port = port;
    }

    /** Starts the process and waits until it serves. What it logs is added to the file. */
    static NodeProcess start(NodeOptions options, Map<String, String> environment, Path log) throws IOException {
        List<String> command = java(NodeMain.class.getName());
        command.addAll(options.arguments());
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        return new NodeProcess(options, process, awaitPort(options, process, log));
    }

    /** Starts a gateway with this configuration instead. */
    static NodeProcess startGateway(NodeOptions options, Path config, Map<String, String> environment, Path log)
            throws IOException {
        int port = Ports.free();
        List<String> command = java(SemelCommand.class.getName());
        command.addAll(List.of("serve", "--config", config.toString(), "--listen", "127.0.0.1:" + port));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        while (!accepts(port)) {
            if (!process.isAlive()) {
                throw new IOException("gateway " + options.name() + " did not start: " + Files.readString(log));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return new NodeProcess(options, process, port);
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> java(String mainClass) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx160m",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
    }

    private static int awaitPort(NodeOptions options, Process process, Path log) throws IOException {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(NodeMain.READY)) {
                return Integer.parseInt(line.substring(NodeMain.READY.length()));
            }
        }
        process.destroyForcibly();
        throw new IOException("node " + options.name() + " did not start: " + Files.readString(log));
    }

    public NodeOptions options() {
        return options;
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public boolean wasKilled() {
        return killedAt != NEVER;
    }

    public long killedAt() {
        return killedAt;
    }

    /** Ends the process with SIGKILL, at once. */
    public synchronized void kill() {
        if (process.isAlive() && !wasKilled()) {
            killedAt = System.nanoTime();
        }
        process.destroyForcibly();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Asks the process to end, and waits for it. */
    public void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
