package dev.semel.torture.fault;

import dev.semel.Outcome;
import dev.semel.spi.KeyRecord;
import dev.semel.torture.door.GatewayConfigFile;
import dev.semel.torture.server.OperatorCommand;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which a person decides on a key: the command line, with the store or with a gateway, and a gateway's API.
 *
 * @param environment what a command needs to reach the store
 * @param store its URL, around all wires
 * @param gateways the addresses of their consoles; none where there are no gateways
 */
public record OperatorDoors(Map<String, String> environment, String store, List<String> gateways) {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String REASON = "looked it up in the ledger";
    private static final int OK = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** An erasure reads all keys. */
    private static final Duration ERASURE = Duration.ofSeconds(20);

    /**
     * Settles the key, or releases it if there is no outcome. The key's operation must be one that no other operator decides on: a
     * command looks at the key for itself.
     *
     * @return the way that was used, and nothing if it did not succeed
     */
    String decide(Random random, KeyRecord record, @Nullable Outcome outcome) throws IOException, InterruptedException {
        if (!gateways.isEmpty() && random.nextBoolean()) {
            String gateway = gateways.get(random.nextInt(gateways.size()));
            if (random.nextBoolean()) {
                return decideByApi(gateway, record, outcome) ? "through a gateway's API" : "";
            }
            boolean done = run(record, outcome, List.of("--gateway", gateway), random.nextBoolean());
            return done ? "through the command line and a gateway" : "";
        }
        boolean one = random.nextBoolean();
        String how = one ? "through the command line" : "through the command line with --where";
        return run(record, outcome, List.of("--store", store), one) ? how : "";
    }

    /** Erases a scope, in another way than by the library's own call; returns the way, and nothing if it did not succeed. */
    String erase(Random random, String scope, String reason) throws IOException, InterruptedException {
        if (!gateways.isEmpty() && random.nextBoolean()) {
            String body = "{\"scope\": \"" + scope + "\", \"reason\": \"" + reason + "\"}";
            String gateway = gateways.get(random.nextInt(gateways.size()));
            return post(gateway + "/api/erase", body, ERASURE) ? "through a gateway's API" : "";
        }
        OperatorCommand.Result result = OperatorCommand.run(
                environment, List.of("keys", "erase", "--scope", scope, "--store", store, "--yes", "--reason", reason));
        // It fails if keys are left that are not settled.
        return result.output().contains("erased: ") ? "through the command line" : "";
    }

    private boolean run(KeyRecord record, @Nullable Outcome outcome, List<String> where, boolean byDigest)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("keys", outcome == null ? "release" : "resolve"));
        if (byDigest) {
            command.add(record.key().digest().toString());
        } else {
            command.add("--where");
            command.add("state=unknown,operation=" + record.operation() + ",scope="
                    + record.key().scope() + ",key=" + record.key().value());
        }
        command.addAll(where);
        command.addAll(List.of("--yes", "--reason", REASON));
        if (outcome != null) {
            command.addAll(List.of("--outcome", "succeeded", "--status", "200", "--body", text(outcome)));
        }
        Map<String, String> all = new HashMap<>(environment);
        all.put("SEMEL_ADMIN_TOKEN", GatewayConfigFile.ADMIN_TOKEN);
        return OperatorCommand.run(all, command).exitCode() == 0;
    }

    private static boolean decideByApi(String gateway, KeyRecord record, @Nullable Outcome outcome)
            throws InterruptedException {
        String decision = outcome == null
                ? "\"outcome\": \"released\""
                : "\"outcome\": \"succeeded\", \"status\": 200, \"body\": " + quoted(text(outcome));
        String body = "{\"token\": \"" + record.token() + "\", \"reason\": \"" + REASON + "\", " + decision + "}";
        return post(gateway + "/api/keys/" + record.key().digest() + "/resolve", body, PATIENCE);
    }

    private static boolean post(String url, String body, Duration patience) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + GatewayConfigFile.ADMIN_TOKEN)
                .header("Content-Type", "application/json")
                .header("Semel-Console", "1")
                .timeout(patience)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == OK;
        } catch (IOException e) {
            // The gateway is dead or suspended, as it is meant to be from time to time.
            return false;
        }
    }

    private static String text(Outcome outcome) {
        return new String(outcome.requirePayload(), StandardCharsets.UTF_8);
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
