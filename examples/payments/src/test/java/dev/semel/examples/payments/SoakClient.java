package dev.semel.examples.payments;

import dev.semel.client.HttpOperation;
import dev.semel.client.IdempotentHttpClient;
import dev.semel.client.KeyJournal;
import dev.semel.client.MaybeAppliedException;
import dev.semel.client.NotAppliedException;
import dev.semel.client.OperationResult;
import dev.semel.client.RetryPolicy;
import dev.semel.client.UnfinishedOperation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client of the payment service, in a process that is killed and started again. Its journal contains the operations
 * that it has started; a file beside it contains the answers.
 */
final class SoakClient {

    private static final List<String> DENIALS =
            List.of("none", "none", "none", "none", "before-403", "after-403", "before-429", "after-429");
    private static final Pattern ORIGINAL_STATUS = Pattern.compile("\"originalStatus\":(\\d{3})");
    private static final int WORKERS = 5;
    private static final int RESUMERS = 2;

    private final KeyJournal journal;
    private final IdempotentHttpClient client;
    private final URI service;
    private final Path told;
    private final String name;
    private final AtomicInteger begun = new AtomicInteger();

    private SoakClient(KeyJournal journal, URI service, Path told, String name) {
        this.journal = journal;
        this.service = service;
        this.told = told;
        this.name = name;
        this.client = IdempotentHttpClient.builder()
                .journal(journal)
                .retries(RetryPolicy.builder()
                        .maxAttempts(6)
                        .attemptTimeout(Duration.ofSeconds(3))
                        .deadline(Duration.ofSeconds(12))
                        .delays(Duration.ofMillis(100), Duration.ofSeconds(1))
                        .build())
                .build();
    }

    /** Arguments: the service, a directory, a name that no other start has, a seed, and "work" or "finish". */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        boolean works = arguments[4].equals("work");
        Random random = new Random(Long.parseLong(arguments[3]));
        try (KeyJournal journal = KeyJournal.open(directory.resolve("journal"))) {
            SoakClient client =
                    new SoakClient(journal, URI.create(arguments[0]), directory.resolve("told"), arguments[2]);
            Thread[] threads = new Thread[works ? WORKERS + RESUMERS : WORKERS];
            for (int i = 0; i < threads.length; i++) {
                Random own = new Random(random.nextLong());
                threads[i] = works && i < WORKERS
                        ? new Thread(() -> client.work(own))
                        : new Thread(() -> client.resume(own, works));
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private void work(Random random) {
        while (true) {
            String kind = List.of("payment", "payment", "declined", "refund", "payout", "payout")
                    .get(random.nextInt(6));
            String id = name + "-" + begun.incrementAndGet() + (kind.equals("declined") ? "-0000" : "");
            String wish = kind.equals("payout") ? DENIALS.get(random.nextInt(DENIALS.size())) : "none";
            note("begun", id, kind, wish);
            send(operation(kind, id, wish)
                    .header("Authorization", password(random.nextInt(20) == 0))
                    .build());
            sleep(random.nextInt(200));
        }
    }

    private HttpOperation.Builder operation(String kind, String id, String wish) {
        return switch (kind) {
            case "refund" ->
                HttpOperation.post(service.resolve("/payments/" + id + "/refund"))
                        .key(id);
            case "payout" ->
                HttpOperation.post(service.resolve("/payouts"))
                        .key(id)
                        .json("{\"id\":\"%s\",\"deny\":\"%s\"}".formatted(id, wish));
            default ->
                HttpOperation.post(service.resolve("/payments"))
                        .key(id)
                        .json("{\"item\":\"%1$s\",\"cents\":1999,\"card\":\"%1$s\",\"email\":\"%1$s\"}".formatted(id));
        };
    }

    /** Sends what has no answer again, with the wrong password at times; in the end, until all is answered. */
    private void resume(Random random, boolean forEver) {
        while (true) {
            List<UnfinishedOperation> unfinished = journal.unfinished();
            if (unfinished.isEmpty() && !forEver) {
                return;
            }
            if (!unfinished.isEmpty()) {
                UnfinishedOperation next = unfinished.get(random.nextInt(unfinished.size()));
                boolean wrong = forEver && random.nextInt(10) == 0;
                send(next.resume(Map.of("Authorization", password(wrong))));
            }
            sleep(random.nextInt(200));
        }
    }

    private void send(HttpOperation operation) {
        try {
            client.send(
                    operation,
                    result -> note(
                            verdict(result),
                            operation.key(),
                            status(result),
                            text(result),
                            Instant.now() + " " + result.attempts() + " "
                                    + result.headers().map()));
        } catch (NotAppliedException e) {
            note("not-applied", operation.key(), Instant.now() + " " + e.attempts());
        } catch (MaybeAppliedException e) {
            // The journal has it.
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A wrong password is the refusal of a request, and no outcome. */
    private static String verdict(OperationResult result) {
        return result.status() == 401 ? "refused" : "told";
    }

    /** The status of the operation, also where only that was kept of its response: an error of a client that had left, say. */
    private static String status(OperationResult result) {
        Matcher original = ORIGINAL_STATUS.matcher(result.status() == 410 ? result.text() : "");
        return original.find() ? original.group(1) : "" + result.status();
    }

    private static String text(OperationResult result) {
        return result.status() < 300 ? result.text() : "";
    }

    private void note(String... words) {
        String line = String.join("\t", words).replace('\n', ' ') + "\n";
        try {
            Files.write(
                    told, line.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String password(boolean wrong) {
        String credentials = wrong ? "alice:guessed" : "alice:secret";
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private static void sleep(int milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
