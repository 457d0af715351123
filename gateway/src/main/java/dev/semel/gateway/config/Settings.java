package dev.semel.gateway.config;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Values that were given for settings, each with the place where it stands. */
public final class Settings {

    private final Map<Setting, Given> given = new EnumMap<>(Setting.class);
    private final @Nullable Settings fallback;

    /** Without a value: everything has its default. */
    public Settings() {
        this(null);
    }

    private Settings(@Nullable Settings fallback) {
        this.fallback = fallback;
    }

    /** Settings of which those that are not given are looked up here. */
    Settings section() {
        return new Settings(this);
    }

    /** Sets a value as it was written; a list's elements stand for themselves. */
    public Settings put(Setting setting, List<String> values, String where) {
        given.put(setting, new Given(values, where));
        return this;
    }

    /** Sets a value that was written on the command line. */
    public Settings putOption(Setting setting, String value) {
        return put(setting, setting.split(value), "option --" + setting.key());
    }

    boolean isGiven(Setting setting) {
        return find(setting).isPresent();
    }

    /** The value, or its default. */
    <T> T get(Setting setting, Function<String, T> parser) {
        return optional(setting, parser)
                .orElseThrow(() -> new ConfigException(setting.key() + " is missing: set it with --" + setting.key()
                        + " " + setting.label() + ", or in the file"));
    }

    /** The value or its default, if it has one. */
    <T> Optional<T> optional(Setting setting, Function<String, T> parser) {
        return withDefault(setting)
                .map(one -> one.parse(setting, values -> {
                    if (values.size() != 1) {
                        throw new IllegalArgumentException("expected one value, got a list of " + values.size());
                    }
                    return parser.apply(values.get(0));
                }));
    }

    /** The elements of a list, or of its default; empty if there is neither. */
    <T> T list(Setting setting, Function<List<String>, T> parser) {
        return withDefault(setting)
                .orElseGet(() -> new Given(List.of(), "default"))
                .parse(setting, parser);
    }

    /** A complaint about a value, which says where it stands. */
    ConfigException complaint(Setting setting, String detail) {
        return new ConfigException(setting.key() + ": " + detail
                + withDefault(setting).map(one -> " (" + one.where + ")").orElse(""));
    }

    private Optional<Given> withDefault(Setting setting) {
        return find(setting)
                .or(() ->
                        Optional.ofNullable(setting.standard()).map(text -> new Given(setting.split(text), "default")));
    }

    private Optional<Given> find(Setting setting) {
        Given own = given.get(setting);
        if (own != null) {
            return Optional.of(own);
        }
        return fallback == null ? Optional.empty() : fallback.find(setting);
    }

    private record Given(List<String> values, String where) {

        <T> T parse(Setting setting, Function<List<String>, T> parser) {
            try {
                return parser.apply(values);
            } catch (IllegalArgumentException e) {
                throw new ConfigException(setting.key() + ": " + e.getMessage() + " (" + where + ")", e);
            }
        }
    }
}
