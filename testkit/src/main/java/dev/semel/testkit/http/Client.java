package dev.semel.testkit.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends requests of one test. */
final class Client {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI base;
    private final String testCase;

    Client(URI base, String testCase) {
        this.base = base;
        this.testCase = testCase;
    }

    Sending post(String path) {
        return new Sending("POST", path);
    }

    Sending send(String method, String path) {
        return new Sending(method, path);
    }

    /** A request under construction: from alice, with a small JSON body. */
    final class Sending {

        private final String method;
        private final String path;
        private final List<String> headers = new ArrayList<>(List.of(SampleRequest.CASE, testCase));
        private String contentType = "application/json";
        private String caller = "alice.1";
        private String body = "{\"amount\":100}";

        private Sending(String method, String path) {
            this.method = method;
            this.path = path;
        }

        Sending key(String value) {
            return header("Idempotency-Key", value);
        }

        Sending header(String name, String value) {
            headers.add(name);
            headers.add(value);
            return this;
        }

        /** The bearer token; its part before the dot is who it was issued to. Empty for none. */
        Sending token(String token) {
            caller = token;
            return this;
        }

        Sending body(String text) {
            body = text;
            return this;
        }

        Sending type(String value) {
            contentType = value;
            return this;
        }

        Received now() {
            return later().join();
        }

        CompletableFuture<Received> later() {
            HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                    .timeout(TIMEOUT)
                    .headers(headers.toArray(String[]::new))
                    .method(
                            method,
                            body.isEmpty() || method.equals("GET") || method.equals("HEAD")
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofString(body));
            if (!caller.isEmpty()) {
                request.header("Authorization", "Bearer " + caller);
            }
            if (!contentType.isEmpty()) {
                request.header("Content-Type", contentType);
            }
            return http.sendAsync(request.build(), BodyHandlers.ofByteArray()).thenApply(Received::new);
        }
    }

    /** Sends a request by hand and goes away without waiting for the answer. */
    Abandoned abandon(String path, String key) throws IOException {
        return new Abandoned(base, path, key, testCase);
    }
}
