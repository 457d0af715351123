package dev.semel.gateway.config;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Values that were given for settings, each with the place where it stands. */
public final class Settings {

    /** Stands for a value that is missing while the others are looked at; an address, since no other is required. */
    private static final String PLACEHOLDER = "http://127.0.0.1:1";

    private final Map<Setting, Given> given = new EnumMap<>(Setting.class);
    private final @Nullable Settings fallback;

    /** Without a value: everything has its default. */
    public Settings() {
        this(null);
    }

    private Settings(@Nullable Settings fallback) {
        this.fallback = fallback;
    }

    /** Creates settings that use these as a fallback. */
    Settings section() {
        return new Settings(this);
    }

    /** Sets a value as it was written; a list's elements stand for themselves. */
    public Settings put(Setting setting, List<String> values, String where) {
        given.put(setting, new Given(values, where, () -> given.remove(setting)));
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
                .orElseThrow(() -> new ConfigException(
                        setting.key() + " is missing: set it with --" + setting.key() + " " + setting.label()
                                + ", or in the file",
                        null,
                        () -> put(setting, List.of(PLACEHOLDER), "placeholder")));
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
                .orElseGet(() -> new Given(List.of(), "default", null))
                .parse(setting, parser);
    }

    /** A complaint about a value, which says where it stands. */
    ConfigException complaint(Setting setting, String detail) {
        Optional<Given> value = withDefault(setting);
        return new ConfigException(
                setting.key() + ": " + detail
                        + value.map(one -> " (" + one.where + ")").orElse(""),
                null,
                value.map(one -> one.remove).orElse(null));
    }

    private Optional<Given> withDefault(Setting setting) {
        return find(setting)
                .or(() -> Optional.ofNullable(setting.standard())
                        .map(text -> new Given(setting.split(text), "default", null)));
    }

    private Optional<Given> find(Setting setting) {
        Given own = given.get(setting);
        if (own != null) {
            return Optional.of(own);
        }
        return fallback == null ? Optional.empty() : fallback.find(setting);
    }

    /** An effective value, and the place where it was set. */
    record Shown(List<String> values, String where) {}

    /** The effective values: for a section, only those that it sets itself; otherwise with defaults. */
    Map<Setting, Shown> shown() {
        Map<Setting, Shown> shown = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            Optional<Given> value = fallback == null ? withDefault(setting) : Optional.ofNullable(given.get(setting));
            value.ifPresent(one -> shown.put(setting, new Shown(one.values, one.where)));
        }
        return shown;
    }

    /** The settings that have other values here than there. */
    public Set<Setting> differences(Settings other) {
        Set<Setting> different = EnumSet.noneOf(Setting.class);
        for (Setting setting : Setting.values()) {
            if (!values(setting).equals(other.values(setting))) {
                different.add(setting);
            }
        }
        return different;
    }

    private List<String> values(Setting setting) {
        return withDefault(setting).map(Given::values).orElse(List.of());
    }

    /** @param remove takes the value out of the settings; {@code null} for a default */
    private record Given(
            List<String> values, String where, @Nullable Runnable remove) {

        <T> T parse(Setting setting, Function<List<String>, T> parser) {
            try {
                return parser.apply(values);
            } catch (IllegalArgumentException e) {
                throw new ConfigException(setting.key() + ": " + e.getMessage() + " (" + where + ")", e, remove);
            }
        }
    }
}
