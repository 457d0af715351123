package dev.semel.gateway.triage;

import dev.semel.Header;
import dev.semel.Outcome;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A key in JSON, for the console, for scripts and for the command line. */
public final class KeyJson {

    private static final int MAX_SHOWN = 256 << 10;

    private KeyJson() {}

    /** One line of a list. */
    public static JsonObject summary(KeyRecord each) {
        Outcome outcome = each.outcome();
        byte[] payload = outcome == null ? null : outcome.payload();
        KeyRecord.Audited audited = each.audited();
        Integer bodyBytes =
                payload != null ? Integer.valueOf(payload.length) : audited == null ? null : audited.bodyBytes();
        return new JsonObject()
                .put("digest", each.key().digest().toString())
                .put("key", each.key().value())
                .put("scope", each.key().scope())
                .put("namespace", each.key().namespace().toString())
                .put("operation", each.operation())
                .put("state", name(each.state()))
                .put("attempt", each.attempt())
                .put("token", Long.toString(each.token()))
                .put("claimedAt", time(each.claimedAt()))
                .put("leaseUntil", time(each.leaseUntil()))
                .put("settledAt", time(each.settledAt()))
                .put("expiresAt", time(each.expiresAt()))
                .put("status", outcome == null ? null : outcome.status())
                .put("bodyBytes", bodyBytes)
                .put("traceId", each.traceId())
                .put("about", each.about())
                .put("cause", cause(each))
                .put("auditedSince", audited == null ? null : audited.since().toString());
    }

    /** The known reason for an unknown outcome; {@code null} for a key that needs no decision. */
    private static @Nullable String cause(KeyRecord each) {
        String said = each.cause();
        if (each.state() == KeyState.LAPSED) {
            return "its owner has not renewed its lease since " + each.leaseUntil() + ": it died, or it hangs";
        }
        if (each.state() != KeyState.UNKNOWN) {
            return null;
        }
        return said != null
                ? said
                : each.history().stream()
                        .filter(entry -> entry.event().equals("marked unknown"))
                        .reduce((first, last) -> last)
                        .map(KeyRecord.HistoryEntry::note)
                        .orElse(null);
    }

    /** The state in one word; a record in the audit window no longer has a state. */
    public static String state(KeyRecord each) {
        return each.audited() == null ? name(each.state()) : "audit";
    }

    /** Everything that is known. */
    public static JsonObject story(KeyRecord each) {
        JsonArray history = new JsonArray();
        for (KeyRecord.HistoryEntry entry : each.history()) {
            history.add(new JsonObject()
                    .put("at", time(entry.at()))
                    .put("attempt", entry.attempt())
                    .put("token", Long.toString(entry.token()))
                    .put("event", entry.event())
                    .put("note", entry.note()));
        }
        JsonArray steps = new JsonArray();
        each.steps().forEach((name, result) -> {
            if (!name.startsWith("semel:")) {
                steps.add(bytes(result).put("name", name));
            }
        });
        return summary(each)
                .put("fingerprint", each.fingerprint().toString())
                .put("history", history)
                .put("steps", steps)
                .put("outcome", outcome(each.outcome()))
                .put("resolvable", each.state() == KeyState.LAPSED || each.state() == KeyState.UNKNOWN);
    }

    /** A constant in lower case, with dashes. */
    public static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static @Nullable String time(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    private static @Nullable JsonObject outcome(@Nullable Outcome outcome) {
        if (outcome == null) {
            return null;
        }
        JsonArray headers = new JsonArray();
        for (Header header : outcome.headers()) {
            headers.add(new JsonObject().put("name", header.name()).put("value", header.value()));
        }
        byte[] payload = outcome.payload();
        return new JsonObject()
                .put("result", name(outcome.result()))
                .put("status", outcome.status())
                .put("contentType", outcome.contentType())
                .put("headers", headers)
                .put("body", (payload == null ? new JsonObject() : bytes(payload)).put("kept", payload != null));
    }

    private static JsonObject bytes(byte[] all) {
        byte[] shown = all.length > MAX_SHOWN ? Arrays.copyOf(all, MAX_SHOWN) : all;
        return new JsonObject()
                .put("bytes", all.length)
                .put("truncated", shown.length < all.length)
                .put("text", text(shown))
                .put("base64", Base64.getEncoder().encodeToString(shown));
    }

    private static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
