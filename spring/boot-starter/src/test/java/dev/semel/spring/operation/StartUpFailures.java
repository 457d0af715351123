package dev.semel.spring.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** What an application that does not start prints. */
public final class StartUpFailures {

    private StartUpFailures() {}

    public static void analysed(Throwable failure, Consumer<FailureAnalysis> expectations) {
        assertThat(failure).isNotNull();
        FailureAnalysis analysis = new SemelFailureAnalyzer().analyze(failure);
        assertThat(analysis).as("analysis of " + failure).isNotNull();
        expectations.accept(analysis);
    }
}
