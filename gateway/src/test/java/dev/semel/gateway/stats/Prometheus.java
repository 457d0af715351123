package dev.semel.gateway.stats;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/** A Prometheus of the machine that watches gateways, with the rules that are shipped. */
final class Prometheus implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final String url;

    private Prometheus(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Where the command is; without it, the test that asks is skipped. */
    static File command(String name) {
        Optional<File> found = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> new File(directory, name))
                .filter(File::canExecute)
                .findFirst();
        Assumptions.assumeTrue(found.isPresent(), "there is no " + name + " on the PATH (Debian package prometheus)");
        return found.orElseThrow();
    }

    /** A gateway to watch, and the job that it belongs to. */
    record Target(String job, int adminPort, String adminToken) {

        private String config() {
            return """
                  - job_name: %s
                    authorization: {credentials: "%s"}
                    static_configs: [{targets: ["127.0.0.1:%d"]}]
                """.formatted(job, adminToken, adminPort);
        }
    }

    static Prometheus start(Path directory, String rules, Target... targets) throws IOException {
        Files.writeString(directory.resolve("rules.yml"), rules);
        Path config = Files.writeString(
                directory.resolve("prometheus.yml"),
                """
                    global: {scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 500ms}
                    rule_files: [rules.yml]
                    scrape_configs:
                    """ + Arrays.stream(targets).map(Target::config).collect(Collectors.joining()));
        int port = freePort();
        Process process = new ProcessBuilder(
                        command("prometheus").getPath(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start();
        return new Prometheus(process, "http://127.0.0.1:" + port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    String url() {
        return url;
    }

    boolean isReady() {
        try {
            return get("/-/ready").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** The names of the alerts that fire now. */
    Set<String> firing() throws IOException {
        return labelsOfFiring("alertname", alert -> true);
    }

    /** The jobs for which an alert fires now. */
    Set<String> jobsWith(String alertname) throws IOException {
        return labelsOfFiring("job", labels -> alertname.equals(labels.getString("alertname")));
    }

    private Set<String> labelsOfFiring(String label, Predicate<JsonObject> wanted) throws IOException {
        JsonArray alerts = answer("/api/v1/alerts").getJsonArray("alerts");
        Set<String> values = new TreeSet<>();
        for (int i = 0; i < alerts.size(); i++) {
            JsonObject labels = alerts.getJsonObject(i).getJsonObject("labels");
            if (alerts.getJsonObject(i).getString("state").equals("firing") && wanted.test(labels)) {
                values.add(labels.getString(label));
            }
        }
        return values;
    }

    /** How many lines a panel with this query would show for the last seconds. */
    int series(String query, int seconds) throws IOException {
        long now = Instant.now().getEpochSecond();
        return answer("/api/v1/query_range?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + "&start="
                        + (now - seconds) + "&end=" + now + "&step=1")
                .getJsonArray("result")
                .size();
    }

    private JsonObject answer(String path) throws IOException {
        HttpResponse<String> response = get(path);
        JsonObject body = new JsonObject(response.body());
        if (!body.getString("status").equals("success")) {
            throw new IllegalArgumentException(path + " was answered with " + response.body());
        }
        return body.getJsonObject("data");
    }

    private HttpResponse<String> get(String path) throws IOException {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs promtool, and returns what it says; a failure is an {@link AssertionError}. */
    static String promtool(Path directory, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(command("promtool").getPath()));
        line.addAll(List.of(arguments));
        Process tool = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (tool.waitFor() != 0) {
            throw new AssertionError(said);
        }
        return said;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
