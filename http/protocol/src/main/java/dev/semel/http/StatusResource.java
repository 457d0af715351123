package dev.semel.http;

import dev.semel.Header;
import dev.semel.Key;
import dev.semel.KeyDigest;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.spi.KeyRecord;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a caller that was told 202 finds what became of its operation. The reference in the path is the key's digest,
 * so that no key stands in a log; it is of no use to anybody but the caller whose key it is.
 */
final class StatusResource {

    private static final int FIND_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(StatusResource.class);

    private final String prefix;
    private final Semel semel;
    private final Namespace namespace;
    private final Replays replays;
    private final ObservedDurations durations;
    private final Clock clock;

    StatusResource(
            String path, Semel semel, Namespace namespace, Replays replays, ObservedDurations durations, Clock clock) {
        this.prefix = path + "/";
        this.semel = semel;
        this.namespace = namespace;
        this.replays = replays;
        this.durations = durations;
        this.clock = clock;
    }

    boolean serves(RequestHead head) {
        return head.path().startsWith(prefix)
                && (head.method().equals("GET") || head.method().equals("HEAD"));
    }

    Answer accepted(Key key, long retryAfter) {
        return pending(retryAfter).with("Location", prefix + key.digest());
    }

    CompletionStage<Answer> answer(RequestHead head, @Nullable String scope) {
        KeyDigest digest = digest(head);
        if (scope == null || digest == null) {
            return CompletableFuture.completedFuture(notFound());
        }
        return find(digest).handle((found, error) -> {
            if (error != null) {
                LOG.warn("cannot look up the status of key {}", digest, error);
                return Problem.of(ProblemType.STORE_UNAVAILABLE, "The outcome cannot be looked up at the moment.")
                        .answer()
                        .with("Retry-After", "1");
            }
            return found.filter(record -> mayRead(scope, record))
                    .map(this::answer)
                    .orElseGet(StatusResource::notFound);
        });
    }

    /** Not for longer than a client would wait: nobody else bounds this look into the store. */
    private CompletionStage<Optional<KeyRecord>> find(KeyDigest digest) {
        return semel.find(digest).toCompletableFuture().copy().orTimeout(FIND_SECONDS, TimeUnit.SECONDS);
    }

    private @Nullable KeyDigest digest(RequestHead head) {
        try {
            return KeyDigest.parse(head.path().substring(prefix.length()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private boolean mayRead(String scope, KeyRecord record) {
        return record.key().scope().equals(Scopes.fit(scope))
                && record.key().namespace().equals(namespace);
    }

    private Answer answer(KeyRecord record) {
        Outcome outcome = record.outcome();
        return switch (record.state()) {
            case PENDING, LAPSED -> pending(retryAfter(record));
            case SUCCEEDED, FAILED -> outcome == null ? notFound() : replays.answer(outcome);
            case UNKNOWN ->
                Problem.of(
                                ProblemType.OUTCOME_UNKNOWN,
                                "The attempt was interrupted, and it is not known what it did. It is not run again.")
                        .answer();
            case EXPIRED ->
                Problem.of(ProblemType.KEY_EXPIRED, "The outcome of this operation is no longer kept.")
                        .answer();
        };
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
        return new Answer(
                202,
                List.of(
                        new Header("Content-Type", "application/json"),
                        new Header("Cache-Control", "no-store"),
                        new Header("Retry-After", Long.toString(retryAfter))),
                JsonText.object(body).getBytes(StandardCharsets.UTF_8));
    }

    private static Answer notFound() {
        return Problem.of(
                        ProblemType.STATUS_NOT_FOUND,
                        "There is no such operation of this caller. It was not executed, or its outcome is no longer"
                                + " kept.")
                .answer();
    }
}
