package dev.semel.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.Claim;
import dev.semel.spi.KeyStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process that claims and settles as fast as it can and prints which writes were acknowledged, until it is killed. */
public final class CrashingNode {

    private static final int IN_FLIGHT = 32;

    private CrashingNode() {}

    /**
     * The main method of the process, which never returns. Prints {@code C n} for an acknowledged claim, {@code S n}
     * for a settle.
     */
    public static void run(KeyStore store) throws InterruptedException {
        PrintStream acknowledged = System.out;
        Semaphore places = new Semaphore(IN_FLIGHT);
        for (long i = 0; ; i++) {
            long number = i;
            places.acquire();
            store.claim(NumberedKeys.claim(number))
                    .thenCompose(claim -> {
                        acknowledged.println("C " + number);
                        return store.settle(
                                ((Claim.Acquired) claim).lease(), NumberedKeys.outcome(number), NumberedKeys.RETENTION);
                    })
                    .thenAccept(settled -> acknowledged.println((settled ? "S " : "LOST ") + number))
                    .whenComplete((done, failure) -> places.release());
        }
    }

    /** Starts the process, kills it after so many settles, and checks in the store that nothing acknowledged is lost. */
    public static void killAndVerify(KeyStore store, int settles, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                main.getName()),
                        Stream.of(arguments))
                .toList();
        Process node = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = linesUntilKilled(node, settles);
        assertThat(lines).filteredOn(line -> line.startsWith("S ")).hasSizeGreaterThanOrEqualTo(settles);
        Map<Long, Boolean> settled = new HashMap<>();
        // The last line may be cut off in the middle of a number.
        for (String line : lines.subList(0, lines.size() - 1)) {
            assertThat(line).matches("[CS] [0-9]+");
            settled.merge(Long.parseLong(line.substring(2)), line.startsWith("S "), Boolean::logicalOr);
        }
        NumberedKeys.verify(store, settled);
    }

    private static List<String> linesUntilKilled(Process node, int settles) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8))) {
            int seen = 0;
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                seen += line.startsWith("S ") ? 1 : 0;
                if (seen == settles) {
                    // Not destroyForcibly of the process, which would close its output with what is not yet read.
                    node.toHandle().destroyForcibly();
                }
            }
        } finally {
            node.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
        return lines;
    }
}
