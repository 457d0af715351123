package dev.semel.gateway.triage;

import dev.semel.Outcome;
import dev.semel.spi.Decisions;
import dev.semel.spi.Resolution;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A person's decision about an operation, with the reason.
 *
 * @param outcome the outcome; {@code null} to release the key, because the operation was not executed
 */
public record Decision(String name, @Nullable Outcome outcome, String reason) {

    private static final int OK = 200;

    /** Checks the input; throws an {@link IllegalArgumentException} that names the mistake. */
    public static Decision of(
            @Nullable String name,
            @Nullable String reason,
            @Nullable Integer status,
            @Nullable String contentType,
            @Nullable String body) {
        String why = Decisions.requireReason(reason == null ? "" : reason);
        if (name == null) {
            throw new IllegalArgumentException("outcome is missing: succeeded, failed or released");
        }
        if (name.equals("succeeded") && status == null && body == null) {
            throw new IllegalArgumentException(
                    "succeeded needs the response for duplicates: a status, and a body if the response had one");
        }
        return switch (name) {
            case "succeeded" ->
                new Decision(name, outcome(Outcome.succeeded(), status == null ? OK : status, contentType, body), why);
            case "failed" ->
                new Decision(
                        name,
                        outcome(Outcome.failed(), status == null ? Outcome.NO_STATUS : status, contentType, body),
                        why);
            case "released" -> new Decision(name, null, why);
            default ->
                throw new IllegalArgumentException(
                        "outcome must be succeeded, failed or released, got \"" + name + "\"");
        };
    }

    private static Outcome outcome(
            Outcome.Builder builder, int status, @Nullable String contentType, @Nullable String body) {
        if (contentType != null && body != null && isJson(contentType)) {
            requireJson(contentType, body);
        }
        return builder.status(status)
                .contentType(contentType)
                .payload(body == null ? "" : body)
                .build()
                .requireReplayable();
    }

    private static boolean isJson(String contentType) {
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return type.equals("application/json") || type.endsWith("+json");
    }

    /** Clients would fail on it, each time that it is replayed. */
    private static void requireJson(String contentType, String body) {
        try {
            Json.decodeValue(body);
        } catch (DecodeException e) {
            throw new IllegalArgumentException(
                    "the body is not valid JSON, and its content type is " + contentType
                            + ": correct the body, or give another content type",
                    e);
        }
    }

    public Resolution resolution() {
        return outcome == null ? new Resolution.Release() : new Resolution.Settle(outcome);
    }
}
