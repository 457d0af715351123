package dev.semel.gateway.admin;

import dev.semel.Outcome;
import dev.semel.spi.Decisions;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.Resolution;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a person says became of an operation, and why.
 *
 * @param outcome {@code null} to release the key, because it was not executed
 */
public record Decision(String name, @Nullable Outcome outcome, String reason) {

    private static final Logger audit = LoggerFactory.getLogger("dev.semel.audit");
    private static final int MAX_REASON = 500;
    private static final int OK = 200;

    /** Checks what was written; what is wrong is an {@link IllegalArgumentException} that names it. */
    public static Decision of(
            @Nullable String name,
            @Nullable String reason,
            @Nullable Integer status,
            @Nullable String contentType,
            @Nullable String body) {
        if (reason == null || reason.isBlank() || reason.length() > MAX_REASON) {
            throw new IllegalArgumentException(
                    "a reason of 1 to " + MAX_REASON + " characters is needed: it is kept in the key's history");
        }
        if (name == null) {
            throw new IllegalArgumentException("outcome is missing: succeeded, failed or released");
        }
        if (name.equals("succeeded") && status == null && body == null) {
            throw new IllegalArgumentException(
                    "succeeded needs what duplicates get: a status, and a body if the response had one");
        }
        return switch (name) {
            case "succeeded" ->
                new Decision(
                        name, outcome(Outcome.succeeded(), status == null ? OK : status, contentType, body), reason);
            case "failed" ->
                new Decision(
                        name,
                        outcome(Outcome.failed(), status == null ? Outcome.NO_STATUS : status, contentType, body),
                        reason);
            case "released" -> new Decision(name, null, reason);
            default ->
                throw new IllegalArgumentException(
                        "outcome must be succeeded, failed or released, got \"" + name + "\"");
        };
    }

    private static Outcome outcome(
            Outcome.Builder builder, int status, @Nullable String contentType, @Nullable String body) {
        return builder.status(status)
                .contentType(contentType)
                .payload(body == null ? "" : body)
                .build()
                .requireReplayable();
    }

    /** Applies it to a key that still carries this token, and writes the audit line. */
    public CompletionStage<Decisions.Result> apply(Inspecting store, KeyRecord key, long token, String by) {
        Resolution resolution = outcome == null ? new Resolution.Release() : new Resolution.Settle(outcome);
        String note = "resolved as " + name + " by " + by + ": " + reason;
        return Decisions.apply(store, key.key().digest(), token, resolution, note)
                .whenComplete((result, failure) -> audit.info(
                        "event=resolve by={} key={} operation={} token={} outcome={} applied={} reason={}",
                        by,
                        key.key().digest(),
                        key.operation(),
                        token,
                        name,
                        failure == null ? result == Decisions.Result.APPLIED : failure.toString(),
                        oneLine(reason)));
    }

    /** A reason must not be able to forge a second line. */
    private static String oneLine(String text) {
        return '"' + text.replaceAll("\\p{Cntrl}", " ").replace("\"", "'") + '"';
    }
}
