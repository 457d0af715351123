package dev.semel.gateway;

import static dev.semel.fuzz.Fuzz.require;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Any bytes, sent to a running gateway: the service gets strict requests only, and another client is not disturbed. */
public final class WireFuzz {

    private static final byte[] LAST =
            "GET /last HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int PATIENCE_MILLIS = 5;
    private static final int HANG_MILLIS = 20_000;

    private static final FuzzedGateway FUZZED = new FuzzedGateway("2s");
    private static RawClient other;
    private static long count;

    private WireFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        try (RawClient client = new RawClient(FUZZED.gateway.port())) {
            try {
                client.send(input);
                client.send(LAST);
            } catch (IOException closed) {
                // The gateway has refused the first bytes, and does not read the rest.
            }
            if (!client.closesWithin(PATIENCE_MILLIS)) {
                // It waits for the rest of a body, or for an answer.
                client.endOutput();
                require(
                        client.closesWithin(HANG_MILLIS),
                        "ends with its client",
                        new String(input, StandardCharsets.ISO_8859_1));
            }
        }
        if (other == null) {
            other = new RawClient(FUZZED.gateway.port());
        }
        String path = "/other/" + count++;
        RawClient.Response response = other.exchange("GET " + path + " HTTP/1.1\r\nHost: shop\r\n\r\n");
        require(response.status() == 200 && response.body().equals(path), "another client gets its answer", response);
        require(FUZZED.upstream.violations.isEmpty(), "the service gets strict requests", FUZZED.upstream.violations);
    }
}
