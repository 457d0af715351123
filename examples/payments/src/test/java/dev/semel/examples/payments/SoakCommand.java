package dev.semel.examples.payments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** {@code ./semel soak}: the soak of the payments example, and of the orders example beside it. */
final class SoakCommand {

    private static final int DEFAULT_SECONDS = 1200;
    private static final int QUICK_SECONDS = 15;
    private static final String USAGE = """
            usage: soak [--seconds N] [--seed N] [--quick] [--json FILE]
              --seconds N   how long things fail; 1200 by default
              --seed N      which things fail, in which order
              --quick       15 seconds, of the payments example alone
              --json FILE   where to write the numbers""";

    private SoakCommand() {}

    public static void main(String[] arguments) throws Exception {
        LoggingSystem.get(SoakCommand.class.getClassLoader())
                .setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) throws Exception {
        int seconds = DEFAULT_SECONDS;
        long seed = ThreadLocalRandom.current().nextInt(1_000_000);
        boolean quick = false;
        Path json = null;
        for (int i = 0; i < arguments.length; i++) {
            String next = i + 1 < arguments.length ? arguments[i + 1] : "";
            if (arguments[i].equals("--quick")) {
                quick = true;
                seconds = QUICK_SECONDS;
            } else if (arguments[i].equals("--seconds") && next.matches("[0-9]{1,6}")) {
                seconds = Integer.parseInt(next);
                i++;
            } else if (arguments[i].equals("--seed") && next.matches("[0-9]{1,18}")) {
                seed = Long.parseLong(next);
                i++;
            } else if (arguments[i].equals("--json") && !next.isEmpty()) {
                json = Path.of(next);
                i++;
            } else {
                System.err.println(USAGE);
                return arguments[i].equals("--help") ? 0 : 2;
            }
        }
        System.out.println("seed " + seed + ", " + seconds + " seconds");
        List<String> findings = new ArrayList<>();
        Process orders = quick ? null : startOrders(seconds);
        try (Soak soak = new Soak(seed, System.out)) {
            findings.addAll(soak.run(Duration.ofSeconds(seconds)));
            soak.verdict();
            if (!findings.isEmpty()) {
                System.out.println("logs and journals: " + soak.directory());
            }
            if (json != null) {
                Files.writeString(json, soak.json(seed, findings));
            }
            if (orders != null && orders.waitFor() != 0) {
                findings.add("the ledger of the orders example is wrong");
            }
        } finally {
            if (orders != null) {
                orders.descendants().forEach(ProcessHandle::destroy);
                orders.destroy();
            }
        }
        findings.stream().limit(20).forEach(System.out::println);
        System.out.println(findings.isEmpty() ? "the ledger is exact" : "THE LEDGER IS WRONG");
        return findings.isEmpty() ? 0 : 1;
    }

    private static Process startOrders(int seconds) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        System.getProperty("semel.soak.orders"),
                        "torture",
                        "--seconds",
                        "" + seconds)
                .inheritIO()
                .start();
    }
}
