package dev.semel.etcd;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The time of an etcd server, from the date in its HTTP answers; its other answers have no time. */
record ServerDate(HttpClient http, List<URI> servers) {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** The date of the first server that answers. */
    CompletableFuture<Instant> now() {
        HttpRequest request = HttpRequest.newBuilder(servers.get(0).resolve("/version"))
                .timeout(TIMEOUT)
                .build();
        CompletableFuture<Instant> date = http.sendAsync(request, BodyHandlers.discarding())
                .thenApply(response -> response.headers().firstValue("Date").orElseThrow())
                .thenApply(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant());
        ServerDate others = new ServerDate(http, servers.subList(1, servers.size()));
        return servers.size() == 1 ? date : date.exceptionallyCompose(failure -> others.now());
    }
}
