package dev.semel.gateway.config;

import dev.semel.http.stored.ReplayHook;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks a URL, with the caller's own credentials, whether a stored response may be given out again. */
record ReplayCheck(URI url) implements ReplayHook {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Set<Integer> DENIALS = Set.of(401, 403, 404);

    /** Made when it is first needed: most gateways have no such URL. */
    private static final class Clients {

        private static final HttpClient CLIENT = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .build();
    }

    @Override
    public CompletionStage<Decision> decide(Replay replay) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(TIMEOUT)
                .header("Semel-Operation", ascii(replay.operation()))
                .header("Semel-Method", replay.method())
                .header("Semel-Path", ascii(replay.path()))
                .POST(BodyPublishers.noBody());
        for (String name : Set.of("Authorization", "Cookie")) {
            replay.headers().apply(name).forEach(value -> request.header(name, value));
        }
        return Clients.CLIENT
                .sendAsync(request.build(), BodyHandlers.discarding())
                .thenCompose(response -> decision(response.statusCode()));
    }

    private CompletionStage<Decision> decision(int status) {
        if (status / 100 == 2) {
            return CompletableFuture.completedStage(Decision.allow());
        }
        return DENIALS.contains(status)
                ? CompletableFuture.completedStage(Decision.deny())
                : CompletableFuture.failedStage(
                        new IOException(url + " answered " + status + "; expected 2xx, 401, 403 or 404"));
    }

    /** Encodes a name with any characters for a header. */
    private static String ascii(String text) {
        return text.replaceAll("[^ -~]", "?");
    }
}
