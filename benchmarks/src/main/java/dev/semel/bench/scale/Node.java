package dev.semel.bench.scale;

import dev.semel.bench.server.ServerProcess;
import dev.semel.testservers.TestPorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One gateway. Between its turns it is paused, so that it neither costs nor does anything. */
final class Node implements AutoCloseable {

    static final String EXECUTED = "idempotency_miss_total";

    private static final String RUNNING = "idempotency_running";
    private static final String TOKEN = "a-token-for-the-bench";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_]+)(?:\\{[^}]*})? ([-+.0-9E]+)$");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    /** How Java compiles. Its threads stay, so that their time can be separated from the others'. */
    enum Compiler {
        /** As in production; it takes minutes until little is left to do. */
        FULL(List.of("-XX:-UseDynamicNumberOfCompilerThreads")),
        /** Done within seconds, with slower code. */
        BRIEF(List.of("-XX:-UseDynamicNumberOfCompilerThreads", "-XX:TieredStopAtLevel=1"));

        private final List<String> options;

        Compiler(List<String> options) {
            this.options = options;
        }
    }

    private final HttpClient client = HttpClient.newHttpClient();
    private final ServerProcess process;
    private final HttpRequest metrics;
    private Map<String, Double> before = Map.of();

    private Node(ServerProcess process, int adminPort) {
        this.process = process;
        metrics = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/metrics"))
                .header("Authorization", "Bearer " + TOKEN)
                .build();
    }

    /** Duplicates wait, so that every request is answered with a success. */
    static Node start(Path log, Compiler compiler, int upstream, String store, String... options) throws IOException {
        int admin = TestPorts.free();
        String[] own = {"--admin", "127.0.0.1:" + admin, "--admin-token", TOKEN, "--duplicates", "wait"};
        String[] all = Stream.of(own, options).flatMap(Arrays::stream).toArray(String[]::new);
        return new Node(ServerProcess.gateway(log, compiler.options, upstream, store, all), admin);
    }

    int port() {
        return process.port();
    }

    ProcessHandle handle() {
        return process.process().toHandle();
    }

    long residentBytes() throws IOException {
        Matcher found = RESIDENT.matcher(
                Files.readString(Path.of("/proc", "" + process.process().pid(), "status")));
        if (!found.find()) {
            throw new IOException("the system does not say how much memory a gateway takes");
        }
        return Long.parseLong(found.group(1)) << 10;
    }

    /** What it has counted since it was last asked, once nothing runs any more. */
    Map<String, Double> counted() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Map<String, Double> now = scrape();
        while (now.getOrDefault(RUNNING, 0.0) > 0) {
            if (System.nanoTime() > deadline) {
                throw new IOException("requests still run " + PATIENCE.toSeconds() + " s after the load has ended");
            }
            TimeUnit.MILLISECONDS.sleep(50);
            now = scrape();
        }
        Map<String, Double> since = new HashMap<>(now);
        before.forEach((name, value) -> since.merge(name, -value, Double::sum));
        before = now;
        return since;
    }

    private Map<String, Double> scrape() throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(metrics, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("a gateway does not tell its metrics: " + response.body());
        }
        return sums(response.body());
    }

    /** The values of each metric, added up over its labels. */
    static Map<String, Double> sums(String exposition) {
        Map<String, Double> sums = new HashMap<>();
        SAMPLE.matcher(exposition)
                .results()
                .forEach(sample -> sums.merge(sample.group(1), Double.valueOf(sample.group(2)), Double::sum));
        return sums;
    }

    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, "" + process.process().pid())
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " ended with " + code);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        resume();
        process.close();
    }
}
