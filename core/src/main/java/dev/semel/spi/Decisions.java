package dev.semel.spi;

import dev.semel.KeyDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a person's decision about a key, for the console, the commands and the actuator, and records who made it.
 *
 * <p>The owner of a lapsed key may still be about to start, once it has renewed its lease. A person who checks before
 * that sees no effect, and would allow a second one. So a decision that denies an effect is taken only about an unknown
 * key, which no attempt can start. A lapsed one is held first, and the person checks again.
 *
 * <p>A store with a {@link DecisionLog} keeps the decision and its entry in one step. With any other store the decision
 * goes to the logger {@code dev.semel.audit}: one line before it is applied and one after, so that a crash in between leaves the
 * first.
 */
public final class Decisions {

    private static final Logger AUDIT = LoggerFactory.getLogger("dev.semel.audit");
    private static final int MAX_REASON = 500;

    /** The result of a decision. */
    public enum Result {
        APPLIED,

        /** The key is neither lapsed nor unknown any more, or carries another token. */
        MOVED_ON,

        /** The key was lapsed and is unknown now. Check again whether the operation took effect, and decide again. */
        HELD_FIRST
    }

    private Decisions() {}

    /**
     * Applies a decision to a key that still carries this token.
     *
     * @param store a store with {@link Inspecting}
     * @param reason in at most 500 characters; it is kept in the key's history
     */
    public static CompletionStage<Result> apply(
            KeyStore store, KeyDigest digest, long token, Resolution resolution, DecisionLog.Person by, String reason) {
        requireReason(reason);
        Inspecting inspecting = KeyStore.capability(store, Inspecting.class)
                .orElseThrow(() -> new IllegalArgumentException("the store "
                        + store.getClass().getName() + " does not implement Inspecting, so its keys cannot be"
                        + " resolved"));
        return inspecting.find(digest).thenCompose(found -> {
            KeyState state = found.map(KeyRecord::state).orElse(KeyState.EXPIRED);
            boolean holds = state == KeyState.LAPSED && deniesTheEffect(resolution);
            Resolution applied = holds ? new Resolution.Hold() : resolution;
            DecisionLog.Entry entry = DecisionLog.Entry.builder(holds ? "hold" : "resolve", digest.toString(), by)
                    .key(found.map(KeyRecord::operation).orElse(null), token)
                    .change(state.name().toLowerCase(Locale.ROOT), name(applied))
                    .reason(reason)
                    .build();
            if (state != KeyState.UNKNOWN && state != KeyState.LAPSED) {
                AUDIT.info("{} result=moved-on", line(entry));
                return CompletableFuture.completedStage(Result.MOVED_ON);
            }
            return resolve(store, inspecting, digest, token, applied, note(entry, resolution), entry)
                    .thenApply(resolved -> !resolved ? Result.MOVED_ON : holds ? Result.HELD_FIRST : Result.APPLIED);
        });
    }

    /** The text for the key's history. */
    private static String note(DecisionLog.Entry entry, Resolution wanted) {
        String said = name(wanted) + " by " + entry.by().name() + ": " + entry.reason();
        return entry.action().equals("hold")
                ? "held, because its owner could still have started: " + said
                : "resolved as " + said;
    }

    /** Refuses a reason that is empty, or too long to keep. */
    public static String requireReason(String reason) {
        if (reason.isBlank() || reason.length() > MAX_REASON) {
            throw new IllegalArgumentException(
                    "a reason of 1 to " + MAX_REASON + " characters is needed: it is kept in the key's history");
        }
        return reason;
    }

    /**
     * The state of a key after this resolution as text, with the status of the response that duplicates get, if there
     * is one.
     */
    public static String name(Resolution resolution) {
        if (resolution instanceof Resolution.Settle settle) {
            int status = settle.outcome().status();
            return (settle.outcome().isSuccess() ? "succeeded" : "failed") + (status > 0 ? " " + status : "");
        }
        return resolution instanceof Resolution.Release ? "released" : "unknown";
    }

    private static boolean deniesTheEffect(Resolution resolution) {
        return resolution instanceof Resolution.Release
                || (resolution instanceof Resolution.Settle settle
                        && !settle.outcome().isSuccess());
    }

    private static CompletionStage<Boolean> resolve(
            KeyStore store,
            Inspecting inspecting,
            KeyDigest digest,
            long token,
            Resolution resolution,
            String note,
            DecisionLog.Entry entry) {
        Optional<DecisionLog> log = KeyStore.capability(store, DecisionLog.class);
        if (log.isEmpty()) {
            AUDIT.info("{} result=trying", line(entry));
        }
        CompletionStage<Boolean> resolved = log.isPresent()
                ? log.get().resolve(digest, token, resolution, note, entry)
                : inspecting.resolve(digest, token, resolution, note);
        return resolved.whenComplete((done, failure) -> AUDIT.info(
                "{} result={}",
                line(entry),
                failure != null
                        ? "no answer from the store, which may have applied it"
                        : done ? "applied" : "moved-on"));
    }

    /** Adds an entry to the log of the store, if it keeps one, and to {@code dev.semel.audit}. */
    public static CompletionStage<Void> note(KeyStore store, DecisionLog.Entry entry) {
        AUDIT.info("{}", line(entry));
        return KeyStore.capability(store, DecisionLog.class)
                .map(log -> log.add(entry))
                .orElseGet(() -> CompletableFuture.completedStage(null));
    }

    private static String line(DecisionLog.Entry entry) {
        return "event=" + entry.action() + " by=" + quoted(entry.by().name()) + " address="
                + (entry.by().address() == null ? "local" : entry.by().address()) + " subject=" + entry.subject()
                + " operation=" + entry.operation() + " token=" + entry.token() + " before=" + quoted(entry.before())
                + " after=" + quoted(entry.after()) + " reason=" + quoted(entry.reason());
    }

    /** Text that a person enters must not be able to forge a second line. */
    private static String quoted(String text) {
        return '"' + text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]", " ").replace("\"", "'") + '"';
    }
}
