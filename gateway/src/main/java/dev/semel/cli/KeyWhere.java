package dev.semel.cli;

import dev.semel.gateway.triage.FoundKey;
import dev.semel.gateway.triage.KeySearch;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyState;
import dev.semel.util.CallerThread;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Selects the keys of a command, by conditions such as {@code state=unknown,operation=charge,older=1h}, all of which
 * must hold.
 *
 * @param states one search for each
 */
record KeyWhere(List<@Nullable KeyState> states, KeyQuery conditions) {

    static final String HELP =
            "Which keys: conditions NAME=VALUE, separated by commas. Names are state, operation, scope, key"
                    + " (the whole key), text (as in the console's search), from and to (times such as 2026-01-31T12:00:00Z),"
                    + " older and younger (30s, 5m, 2h, 7d).";

    private static final Pattern AGE = Pattern.compile("([0-9]{1,6})([smhd])");

    /**
     * Reads the conditions.
     *
     * @param undecided whether only keys that can be resolved are meant, lapsed and unknown ones, unless a state is named
     */
    static KeyWhere parse(String text, boolean undecided, Instant now) {
        KeyQuery.Builder query = KeySearch.query();
        KeyState state = null;
        for (String condition : text.isEmpty() ? new String[0] : text.split(",")) {
            int equals = condition.indexOf('=');
            if (equals < 1 || equals == condition.length() - 1) {
                throw new IllegalArgumentException("--where takes conditions NAME=VALUE, got \"" + condition + "\"");
            }
            String name = condition.substring(0, equals).strip();
            String value = condition.substring(equals + 1).strip();
            switch (name) {
                case "state" -> state = KeySearch.state(value);
                case "operation" -> query.operation(value);
                case "scope" -> query.scope(value);
                case "key" -> query.value(value);
                case "text" -> query.text(value);
                case "from" -> query.claimedFrom(time(value));
                case "to" -> query.claimedBefore(time(value));
                case "older" -> query.claimedBefore(now.minus(age(value)));
                case "younger" -> query.claimedFrom(now.minus(age(value)));
                default ->
                    throw new IllegalArgumentException(
                            "--where knows state, operation, scope, key, text, from, to, older and younger, got \""
                                    + name + "\"");
            }
        }
        List<@Nullable KeyState> states = new ArrayList<>();
        if (state == null && undecided) {
            states.addAll(List.of(KeyState.UNKNOWN, KeyState.LAPSED));
        } else {
            states.add(state);
        }
        return new KeyWhere(states, query.build());
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("a time looks like 2026-01-31T12:00:00Z, got \"" + text + "\"", e);
        }
    }

    private static Duration age(String text) {
        Matcher age = AGE.matcher(text);
        if (!age.matches()) {
            throw new IllegalArgumentException("an age looks like 30s, 5m, 2h or 7d, got \"" + text + "\"");
        }
        long number = Long.parseLong(age.group(1));
        return switch (age.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    /** The keys, and whether the whole store was searched. */
    KeySearch.Found find(Inspecting store, int most) {
        List<FoundKey> keys = new ArrayList<>();
        boolean complete = true;
        for (KeyQuery.Builder query : queries(KeySearch.PAGE)) {
            KeySearch.Found found =
                    CallerThread.await(KeySearch.collect(store, query, most, KeySearch.EXPORT_PATIENCE));
            keys.addAll(found.keys());
            complete &= found.complete();
        }
        return new KeySearch.Found(keys.size() > most ? keys.subList(0, most) : keys, complete && keys.size() <= most);
    }

    /** One query for each state, for pages of this size. */
    List<KeyQuery.Builder> queries(int page) {
        List<KeyQuery.Builder> queries = new ArrayList<>();
        for (KeyState state : states) {
            queries.add(KeyQuery.builder(page)
                    .state(state)
                    .operation(conditions.operation())
                    .scope(conditions.scope())
                    .value(conditions.value())
                    .text(conditions.text())
                    .claimedFrom(conditions.claimedFrom())
                    .claimedBefore(conditions.claimedBefore()));
        }
        return queries;
    }
}
