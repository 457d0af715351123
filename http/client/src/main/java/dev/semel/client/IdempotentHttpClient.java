package dev.semel.client;

import dev.semel.client.response.HttpDate;
import dev.semel.client.sending.Cancellable;
import dev.semel.client.sending.SendHistory;
import dev.semel.client.sending.Timer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP client that sends operations under a key, and retries them only when that cannot apply them twice. It never
 * creates a new key for an operation by itself.
 */
public final class IdempotentHttpClient {

    private static final Logger LOG = LoggerFactory.getLogger(IdempotentHttpClient.class);
    private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

    private final HttpClient http;
    private final RetryPolicy retries;
    private final String header;
    private final KeyFormat format;
    private final @Nullable String firstSentHeader;
    private final Set<String> markers;
    private final @Nullable KeyJournal journal;
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
        this.firstSentHeader = builder.firstSentHeader;
        this.markers = Set.copyOf(builder.markers);
        this.journal = builder.journal;
        this.timer = builder.timer;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Sends an operation, and waits for the answer to it.
     *
     * @throws MaybeAppliedException if it is not known whether it was applied; a journal keeps it
     * @throws NotAppliedException if it was certainly not applied
     * @throws InterruptedException if the thread is interrupted; the request may have arrived, and a journal keeps it
     */
    public OperationResult send(HttpOperation operation) throws InterruptedException {
        return send(operation, result -> {});
    }

    /**
     * Sends an operation, waits for the answer, and passes it to a handler on the same thread, which stores it. A
     * journal forgets the operation when the handler has returned: if the process dies before that, the operation is
     * unfinished, and resuming it gets the same answer again.
     */
    public OperationResult send(HttpOperation operation, Consumer<OperationResult> handler)
            throws InterruptedException {
        Call call = start(operation);
        OperationResult result = call.await();
        try {
            handler.accept(result);
        } catch (RuntimeException | Error e) {
            call.suspend();
            throw e;
        }
        call.end(result).toCompletableFuture().join();
        return result;
    }

    /** Like {@link #send(HttpOperation)}, without waiting; the future fails with what {@code send} throws. */
    public CompletableFuture<OperationResult> sendAsync(HttpOperation operation) {
        return sendAsync(operation, result -> CompletableFuture.completedFuture(null));
    }

    /**
     * Like {@link #send(HttpOperation, Consumer)}, without waiting. The handler and the future's dependents run on a
     * thread of this client, and may block.
     */
    public CompletableFuture<OperationResult> sendAsync(
            HttpOperation operation, Function<OperationResult, ? extends CompletionStage<Void>> handler) {
        Call call = start(operation);
        return new Cancellable<>(call.answer)
                .then(result -> new Cancellable<>(handler.apply(result))
                        .then(handled -> call.end(result))
                        .result())
                .orElse(failure -> {
                    call.suspend();
                    return CompletableFuture.completedFuture(null);
                })
                .result();
    }

    private Call start(HttpOperation operation) {
        HttpRequest.Builder request = HttpRequest.newBuilder(operation.uri());
        operation.headers().forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        request.setHeader(header, format.write(operation.key()));
        if (journal == null) {
            SendHistory history = operation.history();
            history.begin(timer.now());
            return new Call(operation, dated(request, history), history, DONE);
        }
        byte[] body = operation.body();
        if (body == null) {
            throw new IllegalArgumentException("the body of " + operation
                    + " was given as a stream, which a journal cannot keep; give it as bytes or text");
        }
        KeyJournal.Begun begun = journal.begin(operation, body, timer.now());
        return new Call(operation, dated(request, begun.history()), begun.history(), begun.written());
    }

    /** The same time in every request of an operation, also in those of a process that resumes it. */
    private HttpRequest.Builder dated(HttpRequest.Builder request, SendHistory history) {
        Instant since = history.since();
        return firstSentHeader == null || since == null
                ? request
                : request.setHeader(firstSentHeader, HttpDate.format(since));
    }

    /** One send of an operation. */
    private final class Call {

        private final HttpOperation operation;
        private final SendHistory history;
        private final CompletableFuture<OperationResult> answer;
        private final AtomicBoolean over = new AtomicBoolean();

        Call(HttpOperation operation, HttpRequest.Builder request, SendHistory history, CompletionStage<Void> begun) {
            this.operation = operation;
            this.history = history;
            this.answer = new Cancellable<>(begun)
                    .then(written -> attempts(operation, request, history))
                    .then(this::noteExpiry)
                    .orElse(this::unanswered)
                    .result();
        }

        OperationResult await() throws InterruptedException {
            try {
                return answer.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException cause) {
                    // The thread that waits is the one whose trace helps.
                    cause.addSuppressed(new IdempotentCallException("sent from here", null));
                    throw cause;
                }
                throw new IdempotentCallException("cannot send " + operation + ": " + e.getCause(), e.getCause());
            } catch (InterruptedException e) {
                answer.cancel(true);
                suspend();
                throw e;
            }
        }

        /**
         * Records the expiry of the key, because a process that dies before it has handled the answer must not resume
         * after that.
         */
        private CompletionStage<OperationResult> noteExpiry(OperationResult result) {
            return logged(noteExpiry(), result);
        }

        private CompletionStage<Void> noteExpiry() {
            Instant published = history.published();
            return journal == null || published == null || published.isAfter(history.expires(retries.keyRetention()))
                    ? DONE
                    : journal.expires(operation.key(), published);
        }

        private CompletionStage<Void> unanswered(Throwable failure) {
            // A journal fails before anything is sent.
            boolean applied = !(failure instanceof NotAppliedException || failure instanceof JournalException);
            return applied ? suspend() : over.compareAndSet(false, true) ? withdraw() : DONE;
        }

        /** Ends this call without an answer, or with one that was not handled, so that a later call asks again. */
        CompletionStage<Void> suspend() {
            if (!over.compareAndSet(false, true)) {
                return DONE;
            }
            history.end(true);
            return noteExpiry();
        }

        private CompletionStage<Void> withdraw() {
            if (journal != null) {
                return journal.withdraw(operation.key(), history);
            }
            history.end(false);
            return DONE;
        }

        /**
         * Ends the operation, also in the journal. Only a refusal waits for the disk: it must not be sent again after a
         * crash, whereas a success is merely replayed.
         */
        CompletionStage<OperationResult> end(OperationResult result) {
            if (!over.compareAndSet(false, true)) {
                return CompletableFuture.completedFuture(result);
            }
            if (!result.definite()) {
                return logged(withdraw(), result);
            }
            history.end(true);
            return journal == null
                    ? CompletableFuture.completedFuture(result)
                    : logged(journal.end(operation.key(), result.status() >= 400), result);
        }

        private CompletionStage<OperationResult> logged(CompletionStage<Void> ending, OperationResult result) {
            return ending.handle((done, failure) -> {
                if (failure != null) {
                    LOG.warn(
                            "the journal could not note the answer to the operation with key {}",
                            operation.key(),
                            failure);
                }
                return result;
            });
        }
    }

    private CompletableFuture<OperationResult> attempts(
            HttpOperation operation, HttpRequest.Builder request, SendHistory history) {
        return new Cancellable<>(RetryLoop.run(
                        operation.method(),
                        operation.uri(),
                        operation.key(),
                        operation.repeatable() ? retries : retries.once(),
                        markers,
                        new JdkSender(operation, request),
                        timer,
                        history))
                .then(result -> CompletableFuture.completedFuture(new OperationResult(operation.key(), result)))
                .result();
    }

    /** Sends with the client of the JDK. */
    private final class JdkSender implements RetryLoop.Sender<HttpHeaders> {

        private final HttpOperation operation;
        private final HttpRequest.Builder request;

        JdkSender(HttpOperation operation, HttpRequest.Builder request) {
            this.operation = operation;
            this.request = request;
        }

        @Override
        public CompletionStage<ServerAnswer<HttpHeaders>> send(Duration timeout) {
            return exchange(request.copy().timeout(timeout).method(operation.method(), operation.publisher()));
        }

        @Override
        public CompletionStage<ServerAnswer<HttpHeaders>> ask(URI location, Duration timeout) {
            HttpRequest.Builder question = HttpRequest.newBuilder(location).timeout(timeout);
            operation.headers().forEach((name, values) -> {
                if (!name.toLowerCase(Locale.ROOT).startsWith("content-")) {
                    values.forEach(value -> question.header(name, value));
                }
            });
            return exchange(question.GET());
        }

        private CompletableFuture<ServerAnswer<HttpHeaders>> exchange(HttpRequest.Builder made) {
            // Without TLS, HTTP/2 is asked for by an upgrade, which not every server understands with a body.
            if ("http".equalsIgnoreCase(operation.uri().getScheme())) {
                made.version(HttpClient.Version.HTTP_1_1);
            }
            return new Cancellable<>(http.sendAsync(made.build(), BodyHandlers.ofByteArray()))
                    .then(response -> CompletableFuture.completedFuture(new ServerAnswer<>(
                            response.statusCode(),
                            response.headers()::firstValue,
                            response.body(),
                            response.headers())))
                    .result();
        }
    }

    /** Builds an {@link IdempotentHttpClient}. */
    public static final class Builder {

        private @Nullable HttpClient http;
        private RetryPolicy retries = RetryPolicy.standard();
        private String header = "Idempotency-Key";
        private KeyFormat format = KeyFormat.QUOTED;
        private @Nullable String firstSentHeader;
        private final Set<String> markers = new LinkedHashSet<>(RetryLoop.MARKERS);
        private @Nullable KeyJournal journal;
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

        /** The header and the format of keys that this API expects. */
        public Builder dialect(ServerDialect dialect) {
            this.firstSentHeader = dialect.firstSentHeader();
            return header(dialect.header()).keyFormat(dialect.keyFormat());
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

        /** Adds a header that is {@code true} in a replayed response. */
        public Builder replayMarker(String header) {
            this.markers.add(header);
            return this;
        }

        /** Keeps operations from before they are sent until they are answered. */
        public Builder journal(KeyJournal journal) {
            this.journal = journal;
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
