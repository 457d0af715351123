package dev.semel.spring.operation;

import org.jspecify.annotations.Nullable;

/** The application cannot start because its Semel configuration cannot work. */
public final class SemelConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    public SemelConfigurationException(String problem, String remedy) {
        this(problem, remedy, null);
    }

    public SemelConfigurationException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem, cause);
        this.remedy = remedy;
    }

    public String remedy() {
        return remedy;
    }
}
