package dev.semel.gateway;

import static dev.semel.fuzz.Fuzz.require;

import dev.semel.fuzz.Fuzz;
import dev.semel.gateway.RawClient.Response;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** Requests to the admin API: nothing without the token, no failure of the server, and answers that are JSON. */
public final class AdminFuzz {

    private static final String SECRET = "/charges/secret";
    private static final int MAX_ANSWER = 4 << 20;

    private static final Pattern METHOD = Pattern.compile("(?!CONNECT)[A-Z]{3,7}");
    private static final Pattern TARGET = Pattern.compile("/[!-~]*");
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]*");
    private static final Pattern LINE = Pattern.compile("[A-Za-z-]+:[\\x20-\\x7e]*");

    /** What keeps one request from being followed by the next on its connection. */
    private static final Pattern FRAMING =
            Pattern.compile("(?i)(?:host|content-length|transfer-encoding|authorization|connection|expect|upgrade):");

    private static final FuzzedGateway FUZZED = new FuzzedGateway("24h");
    private static RawClient admin;

    private AdminFuzz() {}

    /** The fields are the method, the target, the value of Authorization, the body, and further header lines. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        List<String> fields = Fuzz.fields(input);
        if (fields.size() < 4
                || !METHOD.matcher(fields.get(0)).matches()
                || !TARGET.matcher(fields.get(1)).matches()
                || !VALUE.matcher(fields.get(2)).matches()) {
            return;
        }
        String target = fields.get(1);
        StringBuilder head = new StringBuilder(fields.get(0) + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        head.append("Authorization: ").append(fields.get(2)).append("\r\n");
        for (String line : fields.subList(4, fields.size())) {
            if (LINE.matcher(line).matches() && !FRAMING.matcher(line).lookingAt()) {
                head.append(line).append("\r\n");
            }
        }
        String body = fields.get(3);
        head.append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
        check(target, fields.get(2).strip().equals("Bearer " + FuzzedGateway.TOKEN), exchange(head.toString()));
    }

    private static void check(String target, boolean authorised, Response response) {
        String path = target.split("[?#]", 2)[0];
        require(response.status() < 500, "no failure of the server", response);
        require(
                response.body().length() <= MAX_ANSWER,
                "bounded",
                response.body().length());
        require(
                response.status() == 400 || response.head().contains("\r\nx-content-type-options: nosniff\r\n"),
                "hardened",
                response);
        if (path.startsWith("/api/") || path.equals("/metrics")) {
            require(authorised || response.status() != 200, "nothing without the token", target + " " + response);
        }
        require(authorised || !response.body().contains(SECRET), "no stored response without the token", response);
        if (response.head().contains("json") && !response.body().isEmpty()) {
            require(new JsonObject(utf8(response.body())).size() > 0, "an answer is JSON", response.body());
        }
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static Response exchange(String request) throws IOException {
        if (admin == null) {
            storeASecret();
            admin = new RawClient(FUZZED.gateway.adminPort());
        }
        try {
            return admin.exchange(request);
        } catch (IOException closed) {
            // The connection before was ended after its answer, as some answers are.
            admin.close();
            admin = new RawClient(FUZZED.gateway.adminPort());
            return admin.exchange(request);
        }
    }

    private static void storeASecret() throws IOException {
        try (RawClient client = new RawClient(FUZZED.gateway.port())) {
            Response stored = client.exchange(
                    "POST " + SECRET + " HTTP/1.1\r\nHost: shop\r\nIdempotency-Key: fuzz\r\nContent-Length: 0\r\n\r\n");
            require(stored.status() == 200, "a response is stored", stored);
        }
    }
}
