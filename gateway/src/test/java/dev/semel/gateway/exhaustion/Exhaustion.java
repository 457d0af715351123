package dev.semel.gateway.exhaustion;

import dev.semel.gateway.GatewayProcess;
import dev.semel.gateway.TestCertificate;
import dev.semel.gateway.TestUpstream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures what is left of a well-behaved caller's throughput beside each flood: a gateway with 384 MB of heap and default
 * settings, alone, beside the flood, and alone again. Of a machine that others use too, look at the last column: what the
 * flood alone costs the gateway.
 */
final class Exhaustion implements AutoCloseable {

    static final String HEAP = "384m";

    private static final int CREATED = 201;

    private final TestUpstream upstream = new TestUpstream();
    private final TestCertificate certificate;
    private final GatewayProcess gateway;
    private final WellBehaved caller;

    Exhaustion(Path directory, boolean tls) throws Exception {
        certificate = TestCertificate.in(directory);
        String[] options = tls
                ? new String[] {
                    "--scope", "header:X-User", "--tls-cert", certificate.certificate(), "--tls-key", certificate.key()
                }
                : new String[] {"--scope", "header:X-User"};
        gateway = new GatewayProcess(
                        directory, HEAP, upstream.url(), "sqlite:" + directory.resolve("semel.db"), options)
                .start();
        caller = new WellBehaved(
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(certificate.trust())
                        .build(),
                URI.create((tls ? "https" : "http") + "://localhost:" + gateway.port() + "/charges"));
    }

    WellBehaved caller() {
        return caller;
    }

    boolean isAlive() {
        return gateway.isAlive();
    }

    Flood flood(Flood.Attack attack) {
        return new Flood(attack, gateway.port());
    }

    StreamFlood streams(boolean reset) throws Exception {
        return new StreamFlood(certificate.trust(), gateway.port(), reset);
    }

    @Override
    public void close() {
        gateway.close();
        upstream.close();
    }

    /** Takes the seconds of each part, 10 if there are none, and the names of floods, all if there are none. */
    public static void main(String[] args) throws Exception {
        Duration time = Duration.ofSeconds(args.length == 0 ? 10 : Integer.parseInt(args[0]));
        System.out.println(
                "| flood | alone, per s | beside, per s | ratio | other answers | processors for the flood |\n"
                        + "|---|---|---|---|---|---|");
        for (Flood.Attack attack : Flood.Attack.values()) {
            if (args.length < 2 || List.of(args).contains(attack.name())) {
                measure(attack.name(), time, false, bench -> bench.flood(attack));
            }
        }
        if (args.length < 2) {
            measure("HTTP2_STREAMS", time, true, bench -> bench.streams(false));
            measure("HTTP2_RAPID_RESET", time, true, bench -> bench.streams(true));
        }
        System.exit(0);
    }

    /** Starts a flood. */
    private interface Start {
        AutoCloseable flood(Exhaustion bench) throws Exception;
    }

    private static void measure(String name, Duration time, boolean tls, Start start) throws Exception {
        try (Exhaustion bench = new Exhaustion(Files.createTempDirectory("semel-exhaustion"), tls)) {
            bench.caller.send(time.dividedBy(2));
            double before = rate(bench.caller.send(time), time);
            double beside;
            double flooded;
            Map<Integer, AtomicInteger> answers;
            try (AutoCloseable flood = start.flood(bench)) {
                TimeUnit.SECONDS.sleep(3);
                Duration used = bench.gateway.cpu();
                TimeUnit.MILLISECONDS.sleep(time.toMillis());
                flooded = bench.gateway.cpu().minus(used).toMillis() / (double) time.toMillis();
                answers = new TreeMap<>(bench.caller.send(time));
                beside = rate(answers, time);
            }
            TimeUnit.SECONDS.sleep(2);
            double after = rate(bench.caller.send(time), time);
            answers.remove(CREATED);
            double alone = (before + after) / 2;
            System.out.printf(
                    "| %s | %.0f, %.0f | %.0f | %.2f | %s%s | %.2f |%n",
                    name,
                    before,
                    after,
                    beside,
                    beside / alone,
                    answers,
                    bench.isAlive() ? "" : ", the gateway died",
                    flooded);
        }
    }

    private static double rate(Map<Integer, AtomicInteger> answers, Duration time) {
        return answers.getOrDefault(CREATED, new AtomicInteger()).get() * 1000.0 / time.toMillis();
    }
}
