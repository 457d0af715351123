package dev.semel.examples.payments;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.springframework.util.FileSystemUtils;

/**
 * Runs the payment service with clients that keep journals while everything around it fails at random, then lets every
 * operation end, and compares the answers to the clients with the effects.
 */
final class Soak implements AutoCloseable {

    private static final int CLIENTS = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final List<String> FAULTS = List.of(
            "kill the service",
            "restart the service",
            "pause the service",
            "pause the service",
            "kill a client",
            "kill a client",
            "restart the database",
            "exhaust the pool",
            "exhaust the pool",
            "take the processor away");

    private final Random random;
    private final PrintStream out;
    private final Path directory;
    private final SoakDatabase database;
    private final SoakProcessor processor;
    private final URI uri;
    private final SoakOperator operator;
    private final SoakProcess[] clients = new SoakProcess[CLIENTS];
    private final Map<String, Integer> faults = new TreeMap<>();
    private long startedAt;
    private SoakProcess service;
    private int starts;
    private long printedAt;
    private SoakLedger ledger;
    private boolean exact;

    Soak(long seed, PrintStream out) throws Exception {
        this.random = new Random(seed);
        this.out = out;
        this.directory = Files.createTempDirectory("semel-soak");
        this.database = new SoakDatabase(directory.resolve("data"));
        this.processor = new SoakProcessor();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.uri = URI.create("http://127.0.0.1:" + free.getLocalPort());
        }
        this.operator = new SoakOperator(uri, processor);
        this.service = startService();
        this.ledger = SoakLedger.read(List.of());
    }

    /** Where the logs and journals are; it stays if the ledger is wrong. */
    Path directory() {
        return directory;
    }

    /** The problems at the end; empty if there are none. */
    List<String> run(Duration time) throws Exception {
        awaitService();
        startedAt = System.nanoTime();
        for (int i = 0; i < CLIENTS; i++) {
            clients[i] = startClient(i, "work");
        }
        while (System.nanoTime() - startedAt < time.toNanos()) {
            Thread.sleep(random.nextInt(500, 3000));
            fault(FAULTS.get(random.nextInt(FAULTS.size())));
            awaitService();
            operator.look();
            progress();
        }
        return finish();
    }

    private void fault(String name) throws Exception {
        faults.merge(name, 1, Integer::sum);
        int milliseconds = random.nextInt(500, 4000);
        int client = random.nextInt(CLIENTS);
        switch (name) {
            case "kill the service" -> service.kill();
            case "restart the service" -> service.stop();
            case "pause the service" -> service.pause(milliseconds);
            case "restart the database" -> database.restart();
            case "exhaust the pool" -> operator.hog(milliseconds);
            case "take the processor away" -> {
                processor.away(true);
                Thread.sleep(milliseconds);
                processor.away(false);
            }
            default -> {
                clients[client].kill();
                clients[client] = startClient(client, "work");
            }
        }
    }

    /** Ends all faults, and lets the clients resume until every operation has an answer. */
    private List<String> finish() throws Exception {
        processor.calmDown();
        service.kill();
        for (int i = 0; i < CLIENTS; i++) {
            clients[i].kill();
            clients[i] = startClient(i, "finish");
        }
        List<String> findings = new ArrayList<>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (SoakProcess client : clients) {
            while (client.isAlive() && System.nanoTime() - deadline < 0) {
                awaitService();
                operator.look();
                progress();
                Thread.sleep(500);
            }
            if (client.isAlive()) {
                findings.add("a client has operations without an outcome " + PATIENCE + " after the last fault");
            }
        }
        ledger = read();
        findings.addAll(ledger.judge(processor, database.orders()));
        database.withoutOutcome().forEach((keys, count) -> findings.add(count + " keys of " + keys + " are left"));
        exact = findings.isEmpty();
        return findings;
    }

    private SoakProcess startService() throws IOException {
        starts++;
        return SoakProcess.start(
                directory.resolve("service-" + starts + ".log"),
                SoakService.class,
                List.of(
                        "--server.port=" + uri.getPort(),
                        "--spring.datasource.url=" + database.url(),
                        "--soak.processor=" + processor.url()));
    }

    /** Starts the service if it is dead, which it may be because its database was away, and waits until it listens. */
    private void awaitService() throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!service.isAlive() || !service.hasPrinted(SoakService.LISTENS)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the service does not start; see " + directory);
            }
            if (!service.isAlive()) {
                service = startService();
            }
            Thread.sleep(50);
        }
    }

    private SoakProcess startClient(int number, String task) throws IOException {
        starts++;
        Path own = Files.createDirectories(directory.resolve("client-" + number));
        return SoakProcess.start(
                own.resolve("log"),
                SoakClient.class,
                List.of(uri.toString(), own.toString(), "c" + number + "s" + starts, "" + random.nextLong(), task));
    }

    private SoakLedger read() throws IOException {
        List<Path> told = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            told.add(directory.resolve("client-" + i).resolve("told"));
        }
        return SoakLedger.read(told);
    }

    private void progress() throws IOException {
        long now = System.nanoTime();
        if (printedAt == 0 || now - printedAt > 5_000_000_000L) {
            printedAt = now;
            out.println(seconds() + " s: " + counts(read()) + "; faults: "
                    + faults.values().stream().mapToInt(Integer::intValue).sum());
        }
    }

    private long seconds() {
        return Duration.ofNanos(System.nanoTime() - startedAt).toSeconds();
    }

    private String counts(SoakLedger read) {
        return read.begun() + " operations begun, " + read.succeeded() + " succeeded, " + read.refused() + " refused, "
                + read.notApplied() + " not applied or not answered yet, " + operator.resolved()
                + " resolved by the operator";
    }

    void verdict() {
        out.println(counts(ledger));
        faults.forEach((fault, times) -> out.println("  " + fault + ": " + times));
    }

    String json(long seed, List<String> findings) {
        return """
               {"seed": %d, "seconds": %d, "begun": %d, "succeeded": %d, "refused": %d, "notApplied": %d, "resolved": %d,
                "faults": %d, "findings": %d}
               """.formatted(
                        seed,
                        seconds(),
                        ledger.begun(),
                        ledger.succeeded(),
                        ledger.refused(),
                        ledger.notApplied(),
                        operator.resolved(),
                        faults.values().stream().mapToInt(Integer::intValue).sum(),
                        findings.size());
    }

    @Override
    public void close() throws Exception {
        for (SoakProcess client : clients) {
            if (client != null) {
                client.kill();
            }
        }
        service.kill();
        processor.close();
        database.close();
        if (exact) {
            FileSystemUtils.deleteRecursively(directory);
        }
    }
}
