package dev.semel.spring.failures;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.ConfigurableApplicationContext;

/** Sends requests with headers of a test's own to a server on this machine, each on a connection of its own. */
record TestRequests(int port) {

    static TestRequests to(ConfigurableApplicationContext context) {
        return new TestRequests(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    HttpResponse<String> post(String path, String key, String body, String... headers) {
        return start(path, key, body, headers).join();
    }

    CompletableFuture<HttpResponse<String>> start(String path, String key, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30))
                .header("Idempotency-Key", key)
                .setHeader("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return HttpClient.newHttpClient().sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
