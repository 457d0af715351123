package dev.semel.spring.operation;

/** The application cannot start because what it asks of Semel cannot be done. */
public final class SemelConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    public SemelConfigurationException(String problem, String remedy) {
        super(problem);
        this.remedy = remedy;
    }

    public SemelConfigurationException(String problem, String remedy, Throwable cause) {
        super(problem, cause);
        this.remedy = remedy;
    }

    public String remedy() {
        return remedy;
    }
}
