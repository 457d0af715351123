package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.client.RawServer.Response;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a caller does with a result may block: the client needs none of the threads that it happens on. */
class CallerThreadsTest {

    @TempDir
    private Path directory;

    private static OperationResult send(IdempotentHttpClient client, HttpOperation operation) {
        try {
            return client.send(operation);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HttpOperation charge(RawServer server, String path) {
        return HttpOperation.post(server.uri(path)).json("{}").build();
    }

    @Test
    void sendsAgainFromAContinuationOfARefusalThatTheJournalNotes() throws Exception {
        try (RawServer server =
                        new RawServer(request -> Response.of(request.path().equals("/new") ? 201 : 404, ""));
                KeyJournal journal = KeyJournal.open(directory.resolve("j"))) {
            IdempotentHttpClient client =
                    IdempotentHttpClient.builder().journal(journal).build();

            CompletableFuture<OperationResult> second =
                    client.sendAsync(charge(server, "/old")).thenApply(refused -> send(client, charge(server, "/new")));

            assertThat(second.get(20, TimeUnit.SECONDS).status()).isEqualTo(201);
        }
    }

    @Test
    void retriesFromAContinuationOfAnAttemptThatTimedOut() throws Exception {
        byte[] whole = Response.of(201, "made").bytes();
        Response withoutItsLastByte = new Response(Arrays.copyOf(whole, whole.length - 1), whole.length - 1);
        AtomicInteger turn = new AtomicInteger();
        try (RawServer server = new RawServer(request -> {
            if (request.path().equals("/slow")) {
                return withoutItsLastByte;
            }
            return turn.getAndIncrement() == 0 ? Response.of(503, "", "Retry-After", "0") : Response.of(201, "");
        })) {
            IdempotentHttpClient once = IdempotentHttpClient.builder()
                    .retries(RetryPolicy.builder()
                            .maxAttempts(1)
                            .attemptTimeout(Duration.ofMillis(100))
                            .build())
                    .build();
            IdempotentHttpClient client = IdempotentHttpClient.builder().build();

            CompletableFuture<OperationResult> second = once.sendAsync(charge(server, "/slow"))
                    .handle((result, failure) -> send(client, charge(server, "/new")));

            assertThat(second.get(20, TimeUnit.SECONDS).status()).isEqualTo(201);
        }
    }
}
