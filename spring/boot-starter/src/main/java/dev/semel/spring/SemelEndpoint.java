package dev.semel.spring;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Resolution;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** Lets operators find keys, and decide over those of which nobody knows what happened. */
@SuppressWarnings("deprecation") // Spring Boot 3 knows an optional parameter by Spring's own annotation alone.
@Endpoint(id = "semel")
class SemelEndpoint {

    private static final int DEFAULT_LIMIT = 50;

    private final Inspecting store;

    SemelEndpoint(Inspecting store) {
        this.store = store;
    }

    /** A page of keys; what is not given does not restrict. */
    @ReadOperation
    Map<String, Object> keys(
            @org.springframework.lang.Nullable @Nullable KeyState state,
            @org.springframework.lang.Nullable @Nullable String operation,
            @org.springframework.lang.Nullable @Nullable String scope,
            @org.springframework.lang.Nullable @Nullable String key,
            @org.springframework.lang.Nullable @Nullable String cursor,
            @org.springframework.lang.Nullable @Nullable Integer limit) {
        KeyPage page = await(
                store.page(new KeyQuery(state, operation, scope, key, cursor, limit == null ? DEFAULT_LIMIT : limit)));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("keys", page.records().stream().map(SemelEndpoint::show).toList());
        if (page.next() != null) {
            shown.put("next", page.next());
        }
        return shown;
    }

    /** One key, by its digest. */
    @ReadOperation
    @Nullable
    Map<String, Object> key(@Selector String digest) {
        return await(store.find(KeyDigest.parse(digest)))
                .map(SemelEndpoint::show)
                .orElse(null);
    }

    /**
     * Decides over a key that is lapsed or unknown.
     *
     * @param token the fencing token that the key was seen with: if it has moved on since, nothing is done
     * @param decision what happened: {@code succeeded}, {@code failed} or {@code not-executed}
     * @param status the status of the response that is then replayed
     * @param body the body of that response
     */
    @WriteOperation
    Map<String, Object> resolve(
            @Selector String digest,
            long token,
            String decision,
            String reason,
            @org.springframework.lang.Nullable @Nullable Integer status,
            @org.springframework.lang.Nullable @Nullable String contentType,
            @org.springframework.lang.Nullable @Nullable String body) {
        Resolution resolution = switch (decision) {
            case "succeeded" -> settle(Outcome.succeeded(), status, contentType, body);
            case "failed" -> settle(Outcome.failed(), status, contentType, body);
            case "not-executed" -> new Resolution.Forget();
            default ->
                throw new IllegalArgumentException(
                        "decision must be succeeded, failed or not-executed, got \"" + decision + "\"");
        };
        return Map.of("resolved", await(store.resolve(KeyDigest.parse(digest), token, resolution, reason)));
    }

    private Resolution settle(
            Outcome.Builder outcome, @Nullable Integer status, @Nullable String contentType, @Nullable String body) {
        return new Resolution.Settle(outcome.status(status == null ? Outcome.NO_STATUS : status)
                .contentType(contentType)
                .payload(body == null ? "" : body)
                .build());
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static Map<String, Object> show(KeyRecord record) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("digest", record.key().digest().toString());
        shown.put("namespace", record.key().namespace().toString());
        shown.put("scope", record.key().scope());
        shown.put("key", record.key().value());
        shown.put("operation", record.operation());
        shown.put("state", record.state());
        shown.put("attempt", record.attempt());
        shown.put("token", record.token());
        shown.put("claimedAt", record.claimedAt().toString());
        shown.put("leaseUntil", record.leaseUntil().toString());
        if (record.settledAt() != null) {
            shown.put("settledAt", record.settledAt().toString());
        }
        if (record.expiresAt() != null) {
            shown.put("expiresAt", record.expiresAt().toString());
        }
        if (record.outcome() != null) {
            // Not the payload, which is the caller's.
            shown.put("outcome", record.outcome().toString());
        }
        shown.put("steps", record.steps().keySet());
        shown.put(
                "history",
                record.history().stream()
                        .map(entry ->
                                entry.at() + " attempt " + entry.attempt() + ": " + entry.event() + " " + entry.note())
                        .toList());
        return shown;
    }
}
