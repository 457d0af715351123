package dev.semel.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;

/** A process that performs operations 0 to count, keeps their results in a file, and may be killed at any time. */
final class CrashingClient {

    private static final int AT_ONCE = 24;

    private CrashingClient() {}

    /** The address, the journal, the file for results, and how many operations there are. */
    public static void main(String[] args) throws Exception {
        URI uri = URI.create(args[0]);
        Path results = Path.of(args[2]);
        Set<String> known = new HashSet<>();
        if (Files.exists(results)) {
            for (String line : Files.readString(results).split("\n")) {
                known.add(line.split(" ")[0]);
            }
        }
        try (KeyJournal journal = KeyJournal.open(Path.of(args[1]))) {
            IdempotentHttpClient client = IdempotentHttpClient.builder()
                    .journal(journal)
                    .retries(RetryPolicy.builder()
                            .maxAttempts(4)
                            .attemptTimeout(Duration.ofSeconds(30))
                            .deadline(Duration.ofMinutes(5))
                            .delays(Duration.ofMillis(2), Duration.ofMillis(20))
                            .build())
                    .build();
            Deque<HttpOperation> todo = new ArrayDeque<>();
            for (UnfinishedOperation unfinished : journal.unfinished()) {
                todo.add(unfinished.resume(Map.of("Authorization", "Bearer new")));
                known.add(new String(unfinished.body(), StandardCharsets.UTF_8));
            }
            for (int i = 0; i < Integer.parseInt(args[3]); i++) {
                if (!known.contains(Integer.toString(i))) {
                    // A random key: that an operation keeps its key is the journal's doing.
                    todo.add(HttpOperation.post(uri)
                            .header("Authorization", "Bearer old")
                            .body(Integer.toString(i))
                            .build());
                }
            }
            run(client, new ConcurrentLinkedDeque<>(todo), results);
        }
    }

    private static void run(IdempotentHttpClient client, Deque<HttpOperation> todo, Path results) {
        CompletableFuture<?>[] lanes = new CompletableFuture<?>[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++) {
            lanes[i] = lane(client, todo, results);
        }
        CompletableFuture.allOf(lanes).join();
    }

    private static CompletableFuture<Void> lane(IdempotentHttpClient client, Deque<HttpOperation> todo, Path results) {
        HttpOperation next = todo.poll();
        if (next == null) {
            return CompletableFuture.completedFuture(null);
        }
        String number = new String(next.body(), StandardCharsets.UTF_8);
        return client.sendAsync(next, result -> {
                    write(results, number + " " + result.status() + " " + result.text());
                    return CompletableFuture.completedFuture(null);
                })
                .handleAsync((result, failure) -> {
                    if (failure != null && !(failure instanceof MaybeAppliedException)) {
                        throw new IllegalStateException("operation " + number, failure);
                    }
                    return null;
                })
                .thenComposeAsync(done -> lane(client, todo, results));
    }

    private static synchronized void write(Path results, String line) {
        try {
            Files.writeString(results, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
