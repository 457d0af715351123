package dev.semel.examples.orders;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * People who order, and send each order again until they get an answer; some are impatient and send it twice at the
 * same time.
 */
final class Customers {

    private static final int PEOPLE = 8;

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI uri;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger sends = new AtomicInteger();
    private final AtomicBoolean enough = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    Customers(int port) {
        this.uri = URI.create("http://127.0.0.1:" + port + "/orders");
    }

    void start() {
        for (int i = 0; i < PEOPLE; i++) {
            String name = "customer-" + i;
            Thread thread = new Thread(() -> order(name), name);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /** Waits until everybody has an answer to the last order. */
    void stop() throws InterruptedException {
        enough.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** How many different orders were placed. */
    int requests() {
        return requests.get();
    }

    int sends() {
        return sends.get();
    }

    List<String> wrong() {
        synchronized (wrong) {
            return List.copyOf(wrong);
        }
    }

    private void order(String customer) {
        while (!enough.get()) {
            int number = requests.incrementAndGet();
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .timeout(Duration.ofSeconds(5))
                    .header("Idempotency-Key", "request-" + number)
                    .POST(HttpRequest.BodyPublishers.ofString(customer + " " + number))
                    .build();
            if (ThreadLocalRandom.current().nextInt(10) == 0) {
                client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
                sends.incrementAndGet();
            }
            String first = untilAnswered(request);
            String again = untilAnswered(request);
            if (!first.equals(again)) {
                synchronized (wrong) {
                    wrong.add("request " + number + " was answered with " + first + " and with " + again);
                }
            }
        }
    }

    private String untilAnswered(HttpRequest request) {
        while (true) {
            try {
                sends.incrementAndGet();
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() == 201) {
                    return response.body();
                }
                pause();
            } catch (IOException serviceIsDown) {
                pause();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(20, 100));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
