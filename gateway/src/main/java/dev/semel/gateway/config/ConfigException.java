package dev.semel.gateway.config;

import org.jspecify.annotations.Nullable;

/** The configuration is wrong; the message names the setting, where it stands, and what would be right. */
public final class ConfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        this(message, null);
    }

    public ConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
