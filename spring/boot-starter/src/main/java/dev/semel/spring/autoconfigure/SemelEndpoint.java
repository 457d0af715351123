package dev.semel.spring.autoconfigure;

import dev.semel.KeyDigest;
import dev.semel.Outcome;
import dev.semel.OutcomeCodec;
import dev.semel.spi.DecisionLog;
import dev.semel.spi.Decisions;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyPage;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Resolution;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Lets operators find keys, and resolve those with an unknown outcome. */
@SuppressWarnings("deprecation") // Spring Boot 3 knows an optional parameter by Spring's own annotation alone.
@Endpoint(id = "semel")
class SemelEndpoint {

    private static final int DEFAULT_LIMIT = 50;
    private static final int CONFLICT = 409;
    private static final int MAX_REASON = 500;
    private static final int MAX_NAME = 100;

    private final KeyStore keys;
    private final Inspecting store;
    private final Function<String, @Nullable OutcomeCodec<?>> codecs;

    /** @param codecs how the outcomes of an operation are read, if it is a method of a bean */
    SemelEndpoint(KeyStore keys, Inspecting store, Function<String, @Nullable OutcomeCodec<?>> codecs) {
        this.keys = keys;
        this.store = store;
        this.codecs = codecs;
    }

    /** A page of keys; a parameter that is not given does not restrict. */
    @ReadOperation
    Map<String, Object> keys(
            @org.springframework.lang.Nullable @Nullable KeyState state,
            @org.springframework.lang.Nullable @Nullable String operation,
            @org.springframework.lang.Nullable @Nullable String scope,
            @org.springframework.lang.Nullable @Nullable String key,
            @org.springframework.lang.Nullable @Nullable String cursor,
            @org.springframework.lang.Nullable @Nullable Integer limit) {
        KeyPage page = await(store.page(KeyQuery.builder(limit == null ? DEFAULT_LIMIT : limit)
                .state(state)
                .operation(operation)
                .scope(scope)
                .value(key)
                .cursor(cursor)
                .build()));
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
     * Resolves a lapsed or unknown key.
     *
     * @param token the fencing token that the key was seen with: if the key has changed since, nothing is done
     * @param reason the reason, in one line of at most 500 characters
     * @param security the person who decides
     * @param decision what happened: {@code succeeded}, {@code failed} or {@code released}, if nothing did
     * @param status the status of the response that is then replayed
     * @param body the body of that response, or the value of a method as it is stored
     */
    @WriteOperation
    WebEndpointResponse<Map<String, Object>> resolve(
            @Selector String digest,
            long token,
            String decision,
            String reason,
            SecurityContext security,
            @org.springframework.lang.Nullable @Nullable Integer status,
            @org.springframework.lang.Nullable @Nullable String contentType,
            @org.springframework.lang.Nullable @Nullable String body) {
        try {
            KeyDigest named = KeyDigest.parse(digest);
            Optional<KeyRecord> found = await(store.find(named));
            if (found.isEmpty()) {
                return refused(WebEndpointResponse.STATUS_NOT_FOUND, "there is no key " + digest);
            }
            Resolution resolution = resolution(found.get().operation(), decision, status, contentType, body);
            return switch (await(
                    Decisions.apply(keys, named, token, resolution, person(security), requireReason(reason)))) {
                case APPLIED -> new WebEndpointResponse<>(Map.of("resolved", true));
                case MOVED_ON ->
                    refused(
                            CONFLICT,
                            "the key is not lapsed or unknown any more, or another attempt owns it: look again");
                case HELD_FIRST ->
                    refused(
                            CONFLICT,
                            "the key was lapsed, so its owner could still have started the operation; it is held as"
                                    + " unknown now, and cannot start: check again whether the operation took effect, then"
                                    + " decide again");
            };
        } catch (IllegalArgumentException e) {
            return refused(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    /** It is kept in the key's history and in a log, for people to read. */
    private static String requireReason(String reason) {
        if (reason.isBlank()
                || reason.length() > MAX_REASON
                || reason.codePoints().anyMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029)) {
            throw new IllegalArgumentException("reason must have 1 to " + MAX_REASON
                    + " characters, all in one line: it is kept in the key's history");
        }
        return reason;
    }

    /** Who decides: the principal of the request, if the application knows one. */
    private static DecisionLog.Person person(SecurityContext security) {
        Principal principal = security.getPrincipal();
        String name = principal == null ? "?" : principal.getName().replaceAll("[\\p{Cntrl}\\s\"]", "_");
        return new DecisionLog.Person("actuator:" + name.substring(0, Math.min(name.length(), MAX_NAME)), null);
    }

    private Resolution resolution(
            String operation,
            String decision,
            @Nullable Integer status,
            @Nullable String contentType,
            @Nullable String body) {
        return switch (decision) {
            case "succeeded" ->
                new Resolution.Settle(requireReadable(
                        operation, status, body, outcome(Outcome.succeeded(), status, contentType, body)));
            case "failed" -> new Resolution.Settle(outcome(Outcome.failed(), status, contentType, body));
            case "released" -> new Resolution.Release();
            default ->
                throw new IllegalArgumentException(
                        "decision must be succeeded, failed or released, got \"" + decision + "\"");
        };
    }

    private static Outcome outcome(
            Outcome.Builder outcome, @Nullable Integer status, @Nullable String contentType, @Nullable String body) {
        return outcome.status(status == null ? Outcome.NO_STATUS : status)
                .contentType(contentType)
                .payload(body == null ? "" : body)
                .build();
    }

    /** A retry gets what is stored here: a response, or the value of a method. */
    private Outcome requireReadable(
            String operation, @Nullable Integer status, @Nullable String body, Outcome outcome) {
        OutcomeCodec<?> codec = codecs.apply(operation);
        if (codec == null) {
            if (status == null) {
                throw new IllegalArgumentException(
                        "operation " + operation + " replays a response: give its status, and its body if it had one");
            }
            return outcome;
        }
        try {
            codec.decode(outcome);
            return outcome;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "operation " + operation
                            + " replays the value of a method: give it as body, in the form in which it"
                            + " is stored (" + (body == null ? "there is none" : e.getMessage()) + ")",
                    e);
        }
    }

    private static WebEndpointResponse<Map<String, Object>> refused(int status, String why) {
        return new WebEndpointResponse<>(Map.of("resolved", false, "error", why), status);
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
        if (record.about() != null) {
            shown.put("request", record.about());
        }
        if (record.cause() != null) {
            shown.put("cause", record.cause());
        }
        shown.put("steps", ownSteps(record));
        shown.put(
                "history",
                record.history().stream()
                        .map(entry ->
                                entry.at() + " attempt " + entry.attempt() + ": " + entry.event() + " " + entry.note())
                        .toList());
        return shown;
    }

    /** The steps of the operation itself: Semel keeps the cause of an unknown outcome among them. */
    private static List<String> ownSteps(KeyRecord record) {
        return record.steps().keySet().stream()
                .filter(name -> !name.startsWith("semel:"))
                .toList();
    }
}
