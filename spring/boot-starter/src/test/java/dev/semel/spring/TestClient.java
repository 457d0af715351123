package dev.semel.spring;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Sends requests to a server on this machine. */
record TestClient(int port) {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    HttpResponse<String> post(String path, String key, String body) throws Exception {
        return post(path, key, body, "alice.1");
    }

    HttpResponse<String> post(String path, String key, String body, String token) throws Exception {
        return CLIENT.send(request(path, key, body, token), HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> start(String path, String key, String body) {
        return CLIENT.sendAsync(request(path, key, body, "alice.1"), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer alice.1")
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String path, String key, String body, String token) {
        return HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(30))
                .header("Idempotency-Key", key)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }
}
