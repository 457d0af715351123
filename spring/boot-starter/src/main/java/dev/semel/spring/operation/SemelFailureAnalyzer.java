package dev.semel.spring.operation;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about a {@link SemelConfigurationException}. */
final class SemelFailureAnalyzer extends AbstractFailureAnalyzer<SemelConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SemelConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.remedy(), rootFailure);
    }
}
