package dev.semel.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP client that sends operations under a key, and retries them in the ways that cannot apply them twice. It never
 * makes a new key for an operation by itself.
 */
public final class IdempotentHttpClient {

    private static final Logger LOG = LoggerFactory.getLogger(IdempotentHttpClient.class);

    private final HttpClient http;
    private final RetryPolicy retries;
    private final String header;
    private final KeyFormat format;
    private final Set<String> markers;
    private final @Nullable KeyJournal journal;
    private final Duration keyRetention;
    private final Timer timer;

    private IdempotentHttpClient(Builder builder) {
        HttpClient given = builder.http;
        this.http = given == null
                ? HttpClient.newBuilder()
                        .connectTimeout(builder.retries.attemptTimeout())
                        .build()
                : given;
        this.retries = builder.retries;
        this.header = builder.header;
        this.format = builder.format;
        this.markers = Set.copyOf(builder.markers);
        this.journal = builder.journal;
        this.keyRetention = builder.keyRetention;
        this.timer = builder.timer;
        if (keyRetention.isNegative() || keyRetention.isZero()) {
            throw new IllegalArgumentException("the retention of keys must be positive, got " + keyRetention);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Sends an operation, and waits for the answer to it.
     *
     * @throws OutcomeUnknownException if nobody knows whether it was applied; a journal keeps it
     * @throws NotAppliedException if it was certainly not applied
     * @throws InterruptedException if the thread is interrupted; the request may have arrived, and a journal keeps it
     */
    public OperationResult send(Operation operation) throws InterruptedException {
        return send(operation, result -> {});
    }

    /**
     * Sends an operation, waits for the answer to it, and gives it to a handler that keeps it, in the same thread. A
     * journal forgets the operation when the handler has returned: if the process dies before that, the operation is
     * unfinished, and resuming it gets the same answer again.
     */
    public OperationResult send(Operation operation, Consumer<OperationResult> handler) throws InterruptedException {
        OperationResult result = await(operation, answer(operation));
        try {
            handler.accept(result);
        } catch (RuntimeException e) {
            suspend(operation);
            throw e;
        }
        end(result).toCompletableFuture().join();
        return result;
    }

    /** Like {@link #send(Operation)}, without waiting; the future fails with what {@code send} throws. */
    public CompletableFuture<OperationResult> sendAsync(Operation operation) {
        return sendAsync(operation, result -> CompletableFuture.completedFuture(null));
    }

    /**
     * Like {@link #send(Operation, Consumer)}, without waiting. The handler runs on a thread of the HTTP client: it must
     * not block.
     */
    public CompletableFuture<OperationResult> sendAsync(
            Operation operation, Function<OperationResult, ? extends CompletionStage<Void>> handler) {
        return new Cancellable<>(answer(operation))
                .then(result -> new Cancellable<>(handler.apply(result))
                        .orElse(failure -> {
                            suspend(operation);
                            return CompletableFuture.completedFuture(null);
                        })
                        .result()
                        .thenCompose(handled -> end(result)))
                .result();
    }

    private static OperationResult await(Operation operation, CompletableFuture<OperationResult> sending)
            throws InterruptedException {
        try {
            return sending.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                // The thread that waits is the one whose trace helps.
                cause.addSuppressed(new IdempotentCallException("sent from here", null));
                throw cause;
            }
            throw new IdempotentCallException("cannot send " + operation + ": " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            sending.cancel(true);
            throw e;
        }
    }

    /** The answer to an operation, which the journal still has. */
    private CompletableFuture<OperationResult> answer(Operation operation) {
        HttpRequest.Builder request = HttpRequest.newBuilder(operation.uri());
        operation.headers().forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        request.setHeader(header, format.write(operation.key()));
        KeyJournal kept = journal;
        if (kept == null) {
            return attempts(operation, request, false);
        }
        byte[] body = operation.body();
        if (body == null) {
            throw new IllegalArgumentException("the body of " + operation
                    + " was given as a stream, which a journal cannot keep; give it as bytes or text");
        }
        return new Cancellable<>(kept.begin(operation, body))
                .then(begun -> resumable(operation, begun))
                .then(begun -> attempts(operation, request, begun.sentBefore()))
                .orElse(failure -> unanswered(kept, operation.key(), failure))
                .result();
    }

    /** A key that the server has forgotten would be executed again. */
    private CompletionStage<KeyJournal.Begun> resumable(Operation operation, KeyJournal.Begun begun) {
        Duration age = Duration.between(begun.since(), timer.now());
        if (age.compareTo(keyRetention) < 0) {
            return CompletableFuture.completedFuture(begun);
        }
        return CompletableFuture.failedFuture(new OutcomeUnknownException(
                operation + " was first sent at " + begun.since() + ", longer ago than the server keeps keys ("
                        + keyRetention
                        + "): sending it again could apply it twice. Find out what became of it, then forget its key",
                operation.key(),
                List.of(),
                null));
    }

    private static CompletionStage<Void> unanswered(KeyJournal journal, String key, Throwable failure) {
        if (failure instanceof NotAppliedException) {
            return journal.end(key, true);
        }
        journal.suspend(key);
        return CompletableFuture.completedFuture(null);
    }

    private void suspend(Operation operation) {
        if (journal != null) {
            journal.suspend(operation.key());
        }
    }

    /** A refusal is not to be sent again after a crash, whereas a success is merely replayed. */
    private CompletionStage<OperationResult> end(OperationResult result) {
        if (journal == null) {
            return CompletableFuture.completedFuture(result);
        }
        return journal.end(result.key(), result.status() >= 400).handle((done, failure) -> {
            if (failure != null) {
                LOG.warn("the journal does not know that the operation with key {} is answered", result.key(), failure);
            }
            return result;
        });
    }

    /** The attempts of this call; what was sent before it may have been applied. */
    private CompletableFuture<OperationResult> attempts(
            Operation operation, HttpRequest.Builder request, boolean sentBefore) {
        RetryPolicy policy = operation.repeatable() ? retries : retries.once();
        return new Cancellable<>(RetryLoop.run(
                        operation.method(),
                        operation.uri(),
                        operation.key(),
                        policy,
                        markers,
                        new JdkSender(operation, request),
                        timer,
                        sentBefore || operation.maybeApplied()))
                .then(result -> CompletableFuture.completedFuture(new OperationResult(operation.key(), result)))
                .orElse(failure -> {
                    operation.failed(failure);
                    return CompletableFuture.completedFuture(null);
                })
                .result();
    }

    /** Sends with the client of the JDK. */
    private final class JdkSender implements RetryLoop.Sender<HttpHeaders> {

        private final Operation operation;
        private final HttpRequest.Builder request;

        JdkSender(Operation operation, HttpRequest.Builder request) {
            this.operation = operation;
            this.request = request;
        }

        @Override
        public CompletionStage<Answer<HttpHeaders>> send(Duration timeout) {
            return exchange(request.copy().timeout(timeout).method(operation.method(), operation.publisher()));
        }

        @Override
        public CompletionStage<Answer<HttpHeaders>> ask(URI location, Duration timeout) {
            HttpRequest.Builder question = HttpRequest.newBuilder(location).timeout(timeout);
            operation.headers().forEach((name, values) -> {
                if (!name.toLowerCase(Locale.ROOT).startsWith("content-")) {
                    values.forEach(value -> question.header(name, value));
                }
            });
            return exchange(question.GET());
        }

        private CompletableFuture<Answer<HttpHeaders>> exchange(HttpRequest.Builder made) {
            // Without TLS, HTTP/2 is asked for by an upgrade, which not every server understands with a body.
            if ("http".equalsIgnoreCase(operation.uri().getScheme())) {
                made.version(HttpClient.Version.HTTP_1_1);
            }
            return new Cancellable<>(http.sendAsync(made.build(), BodyHandlers.ofByteArray()))
                    .then(response -> CompletableFuture.completedFuture(new Answer<>(
                            response.statusCode(),
                            response.headers()::firstValue,
                            response.body(),
                            response.headers())))
                    .result();
        }
    }

    /** Makes an {@link IdempotentHttpClient}. */
    public static final class Builder {

        private @Nullable HttpClient http;
        private RetryPolicy retries = RetryPolicy.standard();
        private String header = "Idempotency-Key";
        private KeyFormat format = KeyFormat.QUOTED;
        private final Set<String> markers = new LinkedHashSet<>(RetryLoop.MARKERS);
        private @Nullable KeyJournal journal;
        private Duration keyRetention = Duration.ofHours(24);
        private Timer timer = Timer.SYSTEM;

        private Builder() {}

        /** The client to send with, for example one with a proxy or certificates; a plain one if none is set. */
        public Builder http(HttpClient client) {
            this.http = client;
            return this;
        }

        public Builder retries(RetryPolicy policy) {
            this.retries = policy;
            return this;
        }

        /** The header that carries the key: {@code Idempotency-Key}, unless set. */
        public Builder header(String name) {
            this.header = name;
            return this;
        }

        /** How the key is written: in quotes, unless set. */
        public Builder keyFormat(KeyFormat format) {
            this.format = format;
            return this;
        }

        /** One more header that is {@code true} in a replayed response. */
        public Builder replayMarker(String header) {
            this.markers.add(header);
            return this;
        }

        /** Keeps operations from before they are sent until they are answered. */
        public Builder journal(KeyJournal journal) {
            this.journal = journal;
            return this;
        }

        /**
         * How long the API keeps keys: 24 hours, unless set. An operation that stands in the journal for longer is not
         * sent again.
         */
        public Builder keyRetention(Duration retention) {
            this.keyRetention = retention;
            return this;
        }

        Builder timer(Timer timer) {
            this.timer = timer;
            return this;
        }

        public IdempotentHttpClient build() {
            return new IdempotentHttpClient(this);
        }
    }
}
