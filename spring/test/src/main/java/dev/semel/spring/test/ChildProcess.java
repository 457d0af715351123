package dev.semel.spring.test;

import dev.semel.spring.test.child.PointSwitch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** The application in a separate process, and the connection that controls where it dies. */
final class ChildProcess implements AutoCloseable {

    private static final int LOOK_MILLIS = 200;
    private static final int LAST_LINES = 40;

    private final Process process;
    private final Path log;
    private final Socket socket;
    private final BufferedReader answers;
    private final PrintWriter orders;
    private final URI service;

    private ChildProcess(Process process, Path log, Socket socket, BufferedReader answers, URI service)
            throws IOException {
        this.process = process;
        this.log = log;
        this.socket = socket;
        this.answers = answers;
        this.orders = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
        this.service = service;
    }

    /**
     * Starts the process and waits until the application is ready.
     *
     * @param command the command for a process that connects to the given port
     */
    static ChildProcess start(IntFunction<List<String>> command, Duration limit) {
        try (ServerSocket control = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path log = Files.createTempFile("semel-crash", ".log");
            Process process = new ProcessBuilder(command.apply(control.getLocalPort()))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                return connected(process, log, control, limit);
            } catch (IOException | RuntimeException e) {
                process.destroyForcibly();
                Files.deleteIfExists(log);
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ChildProcess connected(Process process, Path log, ServerSocket control, Duration limit)
            throws IOException {
        Socket socket = accept(process, log, control, limit);
        socket.setSoTimeout((int) limit.toMillis());
        BufferedReader answers =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String port = answers.readLine();
        if (port == null || port.equals("none")) {
            throw notStarted(port == null ? "it ended" : "it listens on no port", log);
        }
        return new ChildProcess(process, log, socket, answers, URI.create("http://127.0.0.1:" + port));
    }

    private static Socket accept(Process process, Path log, ServerSocket control, Duration limit) throws IOException {
        control.setSoTimeout(LOOK_MILLIS);
        for (long tries = limit.toMillis() / LOOK_MILLIS; tries > 0 && process.isAlive(); tries--) {
            try {
                return control.accept();
            } catch (SocketTimeoutException e) {
                // Once more, if the process is still alive.
            }
        }
        throw notStarted(process.isAlive() ? "nothing happened for " + limit : "it ended", log);
    }

    private static IllegalStateException notStarted(String why, Path log) throws IOException {
        return new IllegalStateException("the application did not start in a process of its own: " + why
                + ". The end of its output:\n" + lastLines(log));
    }

    private static String lastLines(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** The address of the application. */
    URI service() {
        return service;
    }

    /** Points count from now on. */
    void record() {
        order("record");
    }

    /** The process dies when it reaches this point. */
    void crashAt(String point) {
        order("crash " + point);
    }

    private void order(String order) {
        orders.println(order);
        readLine();
    }

    /** The points that were reached since the last order. */
    List<String> stop() {
        orders.println("stop");
        List<String> reached = new ArrayList<>();
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            reached.add(line);
        }
        return reached;
    }

    private String readLine() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new IllegalStateException(
                        "the application ended by itself. The end of its output:\n" + lastLines(log));
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until the process dies or the request is answered; returns whether the process died.
     *
     * @param answer ends when the request does, however that is
     */
    boolean diesDuring(CompletableFuture<?> answer, Duration limit) throws InterruptedException {
        try {
            CompletableFuture.anyOf(process.onExit(), answer.handle((response, failure) -> ""))
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the request was not answered within " + limit, e);
        }
        // A connection that breaks because the process dies is seen before its end is.
        boolean dead = (answer.isCompletedExceptionally() || !answer.isDone())
                ? process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
                : !process.isAlive();
        if (dead && process.exitValue() != PointSwitch.KILLED) {
            throw new IllegalStateException("the application ended by itself, with status " + process.exitValue());
        }
        return dead;
    }

    /** Kills the process, if it still lives, and removes its output. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            socket.close();
            process.onExit().join();
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
