package dev.semel.spring;

/** The application cannot start because what it asks of Semel cannot be done. */
final class SemelConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    SemelConfigurationException(String problem, String remedy) {
        super(problem);
        this.remedy = remedy;
    }

    SemelConfigurationException(String problem, String remedy, Throwable cause) {
        super(problem, cause);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
