package dev.semel.http.replay;

import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.http.json.JsonText;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resource at which a caller that got 202 finds the outcome of its operation, by a {@link StatusReference}. A
 * reference that was made for another caller is not looked up, and one of a request that was not executed does not lead
 * to the outcome of a later request with the same key.
 */
public final class StatusResource {

    private static final int FIND_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(StatusResource.class);

    private final String prefix;
    private final Semel semel;
    private final Namespace namespace;
    private final Function<@Nullable String, Replays> replays;
    private final Predicate<String> holds;
    private final ObservedDurations durations;
    private final Clock clock;

    /**
     * @param replays how an operation is answered for; asked for {@code null} where none is known
     * @param holds whether an operation whose owner died stays unknown until it is resolved
     */
    public StatusResource(
            String path,
            Semel semel,
            Namespace namespace,
            Function<@Nullable String, Replays> replays,
            Predicate<String> holds,
            ObservedDurations durations,
            Clock clock) {
        this.prefix = path + "/";
        this.semel = semel;
        this.namespace = namespace;
        this.replays = replays;
        this.holds = holds;
        this.durations = durations;
        this.clock = clock;
    }

    public boolean serves(String method, String path) {
        return path.startsWith(prefix) && (method.equals("GET") || method.equals("HEAD"));
    }

    /** @param request the fingerprint of the request that gets this answer, for its operation */
    public Answer accepted(Key key, Fingerprint request, long retryAfter) {
        return pending(retryAfter).with("Location", prefix + StatusReference.of(key, request));
    }

    /**
     * @param scope as the caller's keys are stored with; {@code null} for a caller that is not known
     * @param replaying what happens to a stored response before it is sent
     */
    public CompletionStage<Answer> answer(
            String path, @Nullable String scope, BiFunction<KeyRecord, Answer, CompletionStage<Answer>> replaying) {
        StatusReference reference =
                scope == null ? null : StatusReference.read(path.substring(prefix.length()), namespace, scope);
        if (reference == null) {
            return CompletableFuture.completedFuture(notFound());
        }
        return find(reference.key())
                .handle((found, error) -> {
                    if (error != null) {
                        LOG.warn(
                                "cannot look up the status of key {}: {}",
                                reference.key().digest(),
                                String.valueOf(error.getMessage()));
                        LOG.debug("the cause of the line before", error);
                        return CompletableFuture.completedStage(problem(
                                        null,
                                        ProblemType.STORE_UNAVAILABLE,
                                        "The outcome cannot be looked up at the moment.")
                                .with("Retry-After", "1"));
                    }
                    return found.filter(reference::isOf)
                            .map(record -> isStored(record)
                                    ? replaying.apply(record, answer(record))
                                    : CompletableFuture.completedStage(answer(record)))
                            .orElseGet(() -> CompletableFuture.completedStage(notFound()));
                })
                .thenCompose(answering -> answering);
    }

    private static boolean isStored(KeyRecord record) {
        return record.outcome() != null && (record.state() == KeyState.SUCCEEDED || record.state() == KeyState.FAILED);
    }

    /** Not for longer than a client would wait: nothing else limits this store call. */
    private CompletionStage<Optional<KeyRecord>> find(Key key) {
        return semel.find(key).toCompletableFuture().copy().orTimeout(FIND_SECONDS, TimeUnit.SECONDS);
    }

    private Answer answer(KeyRecord record) {
        Outcome outcome = record.outcome();
        return switch (record.state()) {
            case PENDING -> pending(retryAfter(record));
            // A retry gets the same answer: no attempt takes such a key over, even before maintenance has marked it.
            case LAPSED -> holds.test(record.operation()) ? unknown(record) : pending(retryAfter(record));
            case SUCCEEDED, FAILED ->
                outcome == null
                        ? notFound()
                        : replays.apply(record.operation())
                                .answer(outcome, record.key().value());
            case UNKNOWN -> unknown(record);
            case EXPIRED ->
                problem(record.operation(), ProblemType.KEY_EXPIRED, "The outcome of this operation has expired.");
        };
    }

    private Answer unknown(KeyRecord record) {
        return problem(
                record.operation(),
                ProblemType.OUTCOME_UNKNOWN,
                "The attempt was interrupted, and its outcome is unknown. It is not run again.");
    }

    private Answer problem(@Nullable String operation, ProblemType type, String detail) {
        return replays.apply(operation).dialect().answer(Problem.of(type, detail));
    }

    private long retryAfter(KeyRecord record) {
        Instant now = clock.instant();
        return durations.retryAfter(
                record.operation(),
                Duration.between(record.claimedAt(), now),
                Duration.between(now, record.leaseUntil()));
    }

    private static Answer pending(long retryAfter) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("outcome", "pending");
        body.put("retry", "same-key");
        return Answer.of(
                202,
                List.of(
                        new Header("Content-Type", "application/json"),
                        new Header("Cache-Control", "no-store"),
                        new Header("Retry-After", Long.toString(retryAfter))),
                JsonText.object(body).getBytes(StandardCharsets.UTF_8));
    }

    private Answer notFound() {
        return problem(
                null,
                ProblemType.STATUS_NOT_FOUND,
                "This caller has no such operation. It was not executed, or its outcome has expired.");
    }
}
