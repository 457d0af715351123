package dev.semel.gateway.exhaustion;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A caller that sends one charge after the other on a few connections, each under a key of its own. */
final class WellBehaved {

    private static final int CONNECTIONS = 4;
    private static final int THINKS_MILLIS = 5;

    private final HttpClient client;
    private final URI charges;
    private final AtomicLong sent = new AtomicLong();

    WellBehaved(HttpClient client, URI charges) {
        this.client = client;
        this.charges = charges;
    }

    /** How often each status was the answer; 0 stands for none. */
    Map<Integer, AtomicInteger> send(Duration time) throws InterruptedException {
        Map<Integer, AtomicInteger> statuses = new ConcurrentHashMap<>();
        long end = System.nanoTime() + time.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        for (int i = 0; i < CONNECTIONS; i++) {
            threads.execute(() -> {
                while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
                    statuses.computeIfAbsent(charge(), first -> new AtomicInteger())
                            .incrementAndGet();
                }
            });
        }
        threads.shutdown();
        threads.awaitTermination(time.toSeconds() + 60, TimeUnit.SECONDS);
        return statuses;
    }

    private int charge() {
        HttpRequest request = HttpRequest.newBuilder(charges)
                .timeout(Duration.ofSeconds(30))
                .header("X-User", "alice")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "charge-" + sent.incrementAndGet())
                .POST(HttpRequest.BodyPublishers.ofString("{\"amount\":100}"))
                .build();
        try {
            int status =
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            TimeUnit.MILLISECONDS.sleep(THINKS_MILLIS);
            return status;
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
