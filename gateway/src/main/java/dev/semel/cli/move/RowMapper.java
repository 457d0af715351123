package dev.semel.cli.move;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.Namespace;
import dev.semel.Outcome;
import dev.semel.cli.move.TableMapping.RowState;
import dev.semel.gateway.config.Parse;
import dev.semel.http.HttpGate;
import dev.semel.http.Scopes;
import dev.semel.policy.Retention;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyRecord.HistoryEntry;
import dev.semel.spi.KeyState;
import dev.semel.util.Text;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Converts rows to keys, with a mapping.
 *
 * @param inProgress what to do with operations that have not ended; {@code null} if the operator has not chosen
 */
record RowMapper(TableMapping mapping, @Nullable InProgress inProgress) {

    /** What to do with a row whose operation has not ended. */
    enum InProgress {
        /** The key is unknown: it is not run again until an operator resolves it. */
        HOLD,
        /** The row is left out. */
        SKIP
    }

    /** Smaller than every token that a store gives out for the key from now on. */
    private static final long TOKEN = 1;

    private static final int FIRST_ERROR = 400;

    /**
     * Converts a row at this moment. A reason contains at most the first characters of a value, and nothing of a body.
     */
    MappedRow map(SourceRow row, Instant now) {
        try {
            return mapped(row, now);
        } catch (IllegalArgumentException | DateTimeException e) {
            return new MappedRow.Rejected(String.valueOf(e.getMessage()));
        }
    }

    private MappedRow mapped(SourceRow row, Instant now) {
        Key key = key(row);
        Instant created = earlier(now, time(row, Field.CREATED, now));
        Instant settled = earlier(now, time(row, Field.SETTLED, created));
        String kept = text(row, Field.RETENTION);
        Duration retention = kept == null ? Retention.DEFAULT.active() : Parse.positiveDuration(kept);
        RowState state = state(row);
        boolean ended = state != RowState.IN_PROGRESS;
        Instant expires = time(row, Field.EXPIRES, ended ? settled.plus(retention) : Instant.MAX);
        if (!expires.isAfter(now)) {
            return new MappedRow.Expired();
        }
        if (ended) {
            KeyRecord.Builder record = record(row, key, created, outcome(row, state))
                    .retention(Retention.of(Duration.between(settled, expires)))
                    .settled(settled, expires)
                    .history(List.of(new HistoryEntry(now, 1, TOKEN, "imported", "from a table by semel keys import")));
            return new MappedRow.Importable(record.build());
        }
        if (inProgress == null) {
            throw new IllegalArgumentException(
                    "in progress: choose --in-progress hold (the key is unknown until it is resolved) or skip");
        }
        return inProgress == InProgress.SKIP
                ? new MappedRow.LeftOut()
                : new MappedRow.Importable(record(row, key, created, null)
                        .retention(Retention.of(retention))
                        .history(List.of(new HistoryEntry(
                                now,
                                1,
                                TOKEN,
                                "marked unknown",
                                "it was in progress when it was imported from a table")))
                        .build());
    }

    private Key key(SourceRow row) {
        String namespace = text(row, Field.NAMESPACE);
        String scope = require(row, Field.SCOPE);
        return new Key(
                namespace == null ? Namespace.DEFAULT : Namespace.parse(namespace),
                mapping.http() ? Scopes.fit(scope) : scope,
                require(row, Field.KEY));
    }

    private KeyRecord.Builder record(SourceRow row, Key key, Instant created, @Nullable Outcome outcome) {
        String operation = Text.requireName("operation", require(row, Field.OPERATION), Key.MAX_LENGTH);
        String identity = text(row, Field.IDENTITY);
        Fingerprint fingerprint = mapping.http()
                ? HttpGate.anyRequest()
                : Fingerprint.ofAnyRequest().forOperation(identity == null ? operation : identity);
        KeyState state =
                outcome == null ? KeyState.UNKNOWN : outcome.isSuccess() ? KeyState.SUCCEEDED : KeyState.FAILED;
        return KeyRecord.builder(key, operation, fingerprint, state)
                .attempt(1, TOKEN)
                .lease(created, created)
                .outcome(outcome);
    }

    private RowState state(SourceRow row) {
        if (mapping.states().isEmpty()) {
            return row.cell(mapping.columns().get(Field.STATUS)) == null ? RowState.IN_PROGRESS : RowState.SETTLED;
        }
        String value = text(row, Field.STATE);
        RowState state = mapping.states().get(value == null ? "" : value);
        if (state == null) {
            throw new IllegalArgumentException("state "
                    + (value == null ? "NULL (write it as \"\")" : Text.quote(value)) + " is not under states");
        }
        return state;
    }

    private Outcome outcome(SourceRow row, RowState state) {
        String given = text(row, Field.STATUS);
        if (given == null && (mapping.http() || state == RowState.SETTLED)) {
            throw new IllegalArgumentException(
                    "there is no status of the response: name its column, or a constant for rows without one");
        }
        int status = given == null ? Outcome.NO_STATUS : status(given);
        boolean success = state == RowState.SETTLED ? status < FIRST_ERROR : state == RowState.SUCCEEDED;
        ResponseHeaders headers = ResponseHeaders.parse(text(row, Field.HEADERS));
        String contentType = text(row, Field.CONTENT_TYPE);
        return (success ? Outcome.succeeded() : Outcome.failed())
                .status(status)
                .contentType(contentType == null ? headers.contentType() : contentType)
                .headers(mapping.headers().of(headers.others()))
                .payload(body(row))
                .build()
                .requireReplayable();
    }

    private static int status(String given) {
        try {
            return Integer.parseInt(given.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the status of a response is a number, got " + Text.quote(given), e);
        }
    }

    private byte @Nullable [] body(SourceRow row) {
        Object cell = row.cell(mapping.columns().get(Field.BODY));
        String constant = mapping.constants().get(Field.BODY);
        byte[] body = cell instanceof byte[] bytes
                ? bytes
                : cell instanceof String text
                        ? decoded(text)
                        : constant == null ? new byte[0] : constant.getBytes(StandardCharsets.UTF_8);
        if (body.length <= mapping.maxBody()) {
            return body;
        }
        if (mapping.dropsLargeBodies()) {
            return null;
        }
        throw new IllegalArgumentException("the body has " + body.length + " bytes, and max-body is "
                + mapping.maxBody() + ": raise it, or set \"oversized: without-body\"");
    }

    private byte[] decoded(String text) {
        try {
            return switch (mapping.bodyEncoding()) {
                case TEXT -> text.getBytes(StandardCharsets.UTF_8);
                case BASE64 -> Base64.getDecoder().decode(text.replaceAll("\\s", ""));
                case HEX -> HexFormat.of().parseHex(text.startsWith("\\x") ? text.substring(2) : text);
            };
        } catch (IllegalArgumentException e) {
            // Without what it says: that may be a part of the body.
            throw new IllegalArgumentException("the body is not "
                    + mapping.bodyEncoding().name().toLowerCase(Locale.ROOT) + ", as body-encoding says");
        }
    }

    private Instant time(SourceRow row, Field field, Instant otherwise) {
        String text = text(row, field);
        return text == null ? otherwise : RowTime.parse(field.written(), text, mapping.zone());
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    private String require(SourceRow row, Field field) {
        String text = text(row, field);
        if (text == null) {
            throw new IllegalArgumentException("there is no " + field.written());
        }
        return text;
    }

    private @Nullable String text(SourceRow row, Field field) {
        Object cell = row.cell(mapping.columns().get(field));
        return cell == null
                ? mapping.constants().get(field)
                : cell instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : cell.toString();
    }
}
