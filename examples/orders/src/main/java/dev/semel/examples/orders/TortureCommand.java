package dev.semel.examples.orders;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestPorts;
import dev.semel.testservers.TestPostgres;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/** Kills each service again and again while customers order, and compares orders with shipments. */
final class TortureCommand {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int DEFAULT_KILLS = 50;
    private static final int QUICK_KILLS = 3;
    private static final String USAGE = """
            usage: torture messaging [--kills N | --seconds N] [--quick] [--json FILE]
              --kills N     kills of each of the three services; 50 by default
              --seconds N   as many kills as there is time for
              --quick       3 kills of each
              --json FILE   where to write the numbers""";
    private static final int PROGRESS = 20;

    private static final int SERVICES = 3;

    private final int kills;
    private final Duration time;
    private final PrintStream out;
    private final long startedAt = System.nanoTime();
    private int killed;
    private long requests;
    private long sends;
    private long orders;
    private long shipments;

    /** Ends after so many kills of each service, or after the time if that is earlier. */
    TortureCommand(int kills, Duration time, PrintStream out) {
        this.kills = kills;
        this.time = time;
        this.out = out;
    }

    static int run(String[] arguments) throws Exception {
        int kills = DEFAULT_KILLS;
        Duration time = Duration.ofDays(365);
        Path json = null;
        for (int i = 1; i < arguments.length; i++) {
            String next = i + 1 < arguments.length ? arguments[i + 1] : "";
            if (arguments[i].equals("--quick")) {
                kills = QUICK_KILLS;
            } else if (arguments[i].equals("--kills") && next.matches("[0-9]{1,6}")) {
                kills = Integer.parseInt(next);
                i++;
            } else if (arguments[i].equals("--seconds") && next.matches("[0-9]{1,6}")) {
                kills = Integer.MAX_VALUE;
                time = Duration.ofSeconds(Integer.parseInt(next));
                i++;
            } else if (arguments[i].equals("--json") && !next.isEmpty()) {
                json = Path.of(next);
                i++;
            } else {
                System.err.println(USAGE);
                return arguments[i].equals("--help") ? 0 : 2;
            }
        }
        TortureCommand torture = new TortureCommand(kills, time, System.out);
        List<String> findings = torture.run();
        findings.forEach(System.out::println);
        System.out.println(findings.isEmpty() ? "the ledger is exact" : "THE LEDGER IS WRONG");
        if (json != null) {
            Files.writeString(json, torture.json(findings));
            System.out.println("numbers: " + json);
        }
        return findings.isEmpty() ? 0 : 1;
    }

    /** By the names that the other torture has. Each of the three services was killed as often. */
    private String json(List<String> findings) {
        return """
               {
                 "torture.seconds": %d,
                 "torture.requests": %d,
                 "torture.distinctKeys": %d,
                 "torture.effects": %d,
                 "torture.messages": %d,
                 "torture.faults.kill": %d,
                 "torture.findings": %d
               }
               """.formatted(
                        Duration.ofNanos(System.nanoTime() - startedAt).toSeconds(),
                        sends,
                        requests,
                        orders,
                        shipments,
                        killed * SERVICES,
                        findings.size());
    }

    /** The problems at the end; empty if there are none. */
    List<String> run() throws Exception {
        try (Servers servers = Servers.start();
                HikariDataSource pool = Database.pool(servers.database())) {
            Database.create(pool);
            int port = TestPorts.free();
            Path registry = Files.createTempFile("registry", "");
            List<ServiceProcess> parts = List.of(
                    new ServiceProcess(
                            "service",
                            "SELECT count(*) FROM placed_order",
                            servers.database(),
                            servers.kafka(),
                            "" + port),
                    new ServiceProcess(
                            "relay",
                            "SELECT count(*) FROM semel_outbox WHERE done_at IS NOT NULL",
                            servers.database(),
                            servers.kafka()),
                    new ServiceProcess(
                            "shipping",
                            "SELECT count(*) FROM shipment",
                            servers.database(),
                            servers.kafka(),
                            registry.toString()));
            Customers customers = new Customers(port);
            try {
                for (ServiceProcess part : parts) {
                    part.start();
                }
                customers.start();
                while (killed < kills && System.nanoTime() - startedAt < time.toNanos()) {
                    for (ServiceProcess part : parts) {
                        killAtWork(pool, part);
                    }
                    takeAway(registry);
                    killed++;
                    out.println("each service killed " + killed + (kills == Integer.MAX_VALUE ? "" : " of " + kills)
                            + " times; "
                            + TestPostgres.number(pool, "SELECT count(*) FROM placed_order") + " orders, "
                            + TestPostgres.number(pool, "SELECT count(*) FROM shipment") + " shipments");
                }
                customers.stop();
                await("all shipments", () -> isQuiet(pool));
            } finally {
                for (ServiceProcess part : parts) {
                    part.kill();
                }
                Files.delete(registry);
            }
            requests = customers.requests();
            sends = customers.sends();
            orders = TestPostgres.number(pool, "SELECT count(*) FROM placed_order");
            shipments = TestPostgres.number(pool, "SELECT count(*) FROM shipment");
            out.println(requests + " requests, sent " + sends + " times; " + orders + " orders, " + shipments
                    + " shipments");
            return judge(pool, customers);
        }
    }

    /** Waits until the part has done something since it was started, and a moment longer. */
    private static void killAtWork(HikariDataSource pool, ServiceProcess part) throws Exception {
        long before = TestPostgres.number(pool, part.progress);
        await(part.name + " at work", () -> TestPostgres.number(pool, part.progress) >= before + PROGRESS);
        Thread.sleep(ThreadLocalRandom.current().nextInt(50));
        part.kill();
        part.start();
    }

    /** For a moment, the shipping service cannot read messages. */
    private static void takeAway(Path registry) throws Exception {
        Files.delete(registry);
        Thread.sleep(ThreadLocalRandom.current().nextInt(100, 2000));
        Files.createFile(registry);
    }

    private static boolean isQuiet(HikariDataSource pool) {
        return TestPostgres.number(pool, "SELECT count(*) FROM semel_outbox WHERE done_at IS NULL") == 0
                && TestPostgres.number(pool, "SELECT count(*) FROM shipment")
                        >= TestPostgres.number(pool, "SELECT count(*) FROM placed_order");
    }

    private static List<String> judge(HikariDataSource pool, Customers customers) {
        int requests = customers.requests();
        List<String> findings = new ArrayList<>(customers.wrong());
        expect(findings, "orders", pool, "SELECT count(*) FROM placed_order", requests);
        expect(findings, "distinct orders", pool, "SELECT count(DISTINCT request) FROM placed_order", requests);
        expect(findings, "shipments", pool, "SELECT count(*) FROM shipment", requests);
        expect(
                findings,
                "orders shipped at their price",
                pool,
                "SELECT count(DISTINCT o.number) FROM placed_order o"
                        + " JOIN shipment s ON s.placed_order = o.number AND s.cents = o.cents",
                requests);
        expect(findings, "messages that were given up", pool, "SELECT count(*) FROM semel_outbox_dead", 0);
        // A customer has one order at a time, and a customer's orders share a partition.
        expect(
                findings,
                "shipments out of order",
                pool,
                "SELECT count(*) FROM (SELECT s.placed_order, max(s.placed_order) OVER (PARTITION BY o.customer"
                        + " ORDER BY s.number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before"
                        + " FROM shipment s JOIN placed_order o ON o.number = s.placed_order) AS t"
                        + " WHERE before > placed_order",
                0);
        return findings;
    }

    private static void expect(List<String> findings, String what, HikariDataSource pool, String query, long expected) {
        long found = TestPostgres.number(pool, query);
        if (found != expected) {
            findings.add(what + ": " + found + " instead of " + expected);
        }
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("waited " + PATIENCE + " in vain for " + what);
            }
            Thread.sleep(20);
        }
    }
}
