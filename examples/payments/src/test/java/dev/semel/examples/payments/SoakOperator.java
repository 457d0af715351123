package dev.semel.examples.payments;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Resolves payouts with an unknown outcome by the processor's ledger. */
final class SoakOperator {

    /** No pause, no request to the processor and no queue in the service lasts this long. */
    private static final Duration CERTAIN = Duration.ofSeconds(25);

    private final HttpClient client = HttpClient.newHttpClient();
    private final JsonMapper json = new JsonMapper();
    private final URI service;
    private final SoakProcessor processor;
    private int resolved;

    SoakOperator(URI service, SoakProcessor processor) {
        this.service = service;
        this.processor = processor;
    }

    int resolved() {
        return resolved;
    }

    /** Resolves what can be resolved truthfully by now. */
    void look() throws InterruptedException {
        try {
            HttpResponse<String> page = send(request("/actuator/semel?state=UNKNOWN&operation=payout&limit=200"));
            if (page.statusCode() == 200) {
                for (JsonNode key : json.readTree(page.body()).path("keys")) {
                    resolve(key);
                }
            }
        } catch (IOException e) {
            // The service is down; the next look finds the same keys.
        }
    }

    private void resolve(JsonNode key) throws IOException, InterruptedException {
        List<String> done = processor.effects("payout", key.path("key").asString());
        boolean isOld =
                Instant.parse(key.path("claimedAt").asString()).plus(CERTAIN).isBefore(Instant.now());
        if (done.isEmpty() && !isOld) {
            return;
        }
        Map<String, Object> decision = done.isEmpty()
                ? Map.of("token", key.path("token").asLong(), "decision", "released", "reason", "not in the ledger")
                : Map.of(
                        "token",
                        key.path("token").asLong(),
                        "decision",
                        "succeeded",
                        "reason",
                        "in the ledger",
                        "status",
                        200,
                        "contentType",
                        "text/plain;charset=UTF-8",
                        "body",
                        done.get(0));
        HttpResponse<String> answer =
                send(request("/actuator/semel/" + key.path("digest").asString())
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(decision))));
        if (answer.statusCode() == 200) {
            resolved++;
        }
    }

    /** Takes all connections of the service's pool for a while. */
    void hog(long milliseconds) throws InterruptedException {
        try {
            send(request("/hog")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("" + milliseconds)));
        } catch (IOException e) {
            // The service is down, and has no pool.
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(service.resolve(path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(8))
                .header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString("operator:secret".getBytes(StandardCharsets.UTF_8)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
