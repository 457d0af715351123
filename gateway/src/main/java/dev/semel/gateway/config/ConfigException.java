package dev.semel.gateway.config;

import org.jspecify.annotations.Nullable;

/** The configuration is wrong; the message names the setting, its place, and a valid value. */
public final class ConfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Runnable without;

    public ConfigException(String message) {
        this(message, null);
    }

    public ConfigException(String message, @Nullable Throwable cause) {
        this(message, cause, null);
    }

    /** @param without builds the settings without the wrong ones */
    ConfigException(String message, @Nullable Throwable cause, @Nullable Runnable without) {
        super(message, cause);
        this.without = without;
    }

    /** Removes the wrong values from the settings, to find further errors; {@code false} if that is not possible. */
    boolean takeOut() {
        if (without == null) {
            return false;
        }
        without.run();
        return true;
    }
}
