package dev.semel.testkit.failures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Holds a front end to its column of the {@link FailureMatrix}: each row that applies is brought about and judged. A
 * row without a scenario fails, so no cell goes untested.
 */
public abstract class FailureContract {

    /** Brings an incident about and finds out, from the key and from what a retry gets, what it meant. */
    @FunctionalInterface
    protected interface Scenario {

        Meaning happens() throws Exception;
    }

    protected abstract FrontEnd frontEnd();

    /** A scenario for each row of the table that applies to this front end, by the row's id. */
    protected abstract Map<String, Scenario> scenarios();

    @TestFactory
    Stream<DynamicTest> everyRowMeansWhatTheTableSays() {
        Map<String, Scenario> scenarios = scenarios();
        return FailureMatrix.load().incidents().stream()
                .filter(incident ->
                        incident.at(frontEnd()) != Meaning.NOT_APPLICABLE || scenarios.containsKey(incident.id()))
                .map(incident -> DynamicTest.dynamicTest(incident.id(), () -> {
                    Scenario scenario = scenarios.get(incident.id());
                    assertThat(scenario)
                            .as("the scenario for '%s' at %s", incident.what(), frontEnd())
                            .isNotNull();
                    assertThat(Objects.requireNonNull(scenario).happens())
                            .as(incident.what())
                            .isEqualTo(incident.at(frontEnd()));
                }));
    }

    @TestFactory
    Stream<DynamicTest> everyScenarioHasARow() {
        return scenarios().keySet().stream()
                .map(id -> DynamicTest.dynamicTest(
                        id,
                        () -> assertThat(FailureMatrix.load().incidents())
                                .extracting(FailureMatrix.Incident::id)
                                .contains(id)));
    }
}
