package dev.semel.cli;

import dev.semel.spi.KeyRecord;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/** Prints keys in a terminal, from the JSON of the admin API. */
final class KeyLines {

    private static final String LINE = "%-32s  %s  %-20s  %-24.24s  %-20s  %s%n";
    private static final String FIELD = "%-13s %s%n";
    private static final int STATE_WIDTH = 9;

    private static final Map<String, String> COLORS = Map.of(
            "unknown", "bold,red", "lapsed", "red", "pending", "yellow", "succeeded", "green", "failed", "magenta");

    private KeyLines() {}

    static void printHead(PrintWriter out) {
        out.printf(LINE, "DIGEST", "STATE    ", "OPERATION", "CLAIMED", "SCOPE", "KEY");
    }

    /** @param key as the API lists it */
    static void print(PrintWriter out, JsonObject key) {
        out.printf(
                LINE,
                text(key, "digest"),
                colored(state(key), STATE_WIDTH),
                text(key, "operation"),
                text(key, "claimedAt"),
                text(key, "scope"),
                text(key, "key"));
    }

    /** The label for a record in the audit window, which no longer has a state. */
    private static String state(JsonObject key) {
        return key.getValue("auditedSince") == null ? text(key, "state") : "audit";
    }

    /** Colours only in a terminal: not in a file or a pipe. */
    private static String colored(String state, int width) {
        String padded = String.format(Locale.ROOT, "%-" + width + "s", state);
        String color = COLORS.get(state);
        return color == null ? padded : Ansi.AUTO.string("@|" + color + " " + padded + "|@");
    }

    /** @param key as the API shows it */
    static void printStory(PrintWriter out, JsonObject key, Instant now) {
        for (String name : new String[] {"key", "scope", "digest"}) {
            out.printf(FIELD, name, text(key, name));
        }
        String state = state(key);
        out.printf(FIELD, "state", colored(state, state.length()));
        for (String name : new String[] {"cause", "operation", "about"}) {
            if (key.getValue(name) != null) {
                out.printf(FIELD, name.equals("about") ? "request" : name, text(key, name));
            }
        }
        out.printf(FIELD, "attempt", text(key, "attempt") + ", fencing token " + text(key, "token"));
        moment(out, "claimed", key.getString("claimedAt"), now);
        moment(out, "lease until", key.getString("leaseUntil"), now);
        moment(out, "settled", key.getString("settledAt"), now);
        moment(out, "replays until", key.getString("expiresAt"), now);
        if (key.getValue("traceId") != null) {
            out.printf(FIELD, "trace", text(key, "traceId"));
        }
        JsonObject outcome = key.getJsonObject("outcome");
        if (outcome != null) {
            Object bytes = outcome.getJsonObject("body", new JsonObject()).getValue("bytes");
            out.printf(
                    FIELD,
                    "outcome",
                    text(outcome, "result") + ", status " + text(outcome, "status") + ", "
                            + (bytes == null ? "body not kept" : bytes + " bytes"));
        }
        for (Object step : key.getJsonArray("steps", new JsonArray())) {
            out.printf(FIELD, "step", text((JsonObject) step, "name"));
        }
        for (Object entry : key.getJsonArray("history", new JsonArray())) {
            JsonObject line = (JsonObject) entry;
            out.printf(
                    FIELD,
                    "history",
                    text(line, "at") + " attempt " + text(line, "attempt") + " " + text(line, "event")
                            + (text(line, "note").isEmpty() ? "" : ": " + text(line, "note")));
        }
        out.println("(everything, with the response: --json)");
        out.flush();
    }

    private static void moment(PrintWriter out, String name, @Nullable String at, Instant now) {
        if (at != null) {
            Duration ago = Duration.between(Instant.parse(at), now);
            String distance = inWords(ago.abs());
            out.printf(FIELD, name, at + (ago.isNegative() ? " (in " + distance + ")" : " (" + distance + " ago)"));
        }
    }

    private static String inWords(Duration duration) {
        if (duration.toDays() > 0) {
            return duration.toDays() + "d " + duration.toHoursPart() + "h";
        }
        if (duration.toHours() > 0) {
            return duration.toHours() + "h " + duration.toMinutesPart() + "m";
        }
        return duration.toMinutes() > 0
                ? duration.toMinutes() + "m " + duration.toSecondsPart() + "s"
                : duration.toSeconds() + "s";
    }

    /** A key is chosen by a client, which must not be able to control an operator's terminal. */
    private static String text(JsonObject json, String name) {
        Object value = json.getValue(name);
        return value == null ? "" : value.toString().replaceAll("\\p{Cntrl}", "?");
    }

    /** The question before a key is resolved. */
    static String question(KeyRecord key, String decision) {
        return String.format(
                "key %s (%s) of scope %s, operation %s, is %s since %s%nresolve it as %s?",
                key.key().value(),
                key.key().digest(),
                key.key().scope(),
                key.operation(),
                key.state().name().toLowerCase(Locale.ROOT),
                key.claimedAt(),
                decision);
    }
}
