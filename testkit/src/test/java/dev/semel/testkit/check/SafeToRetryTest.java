package dev.semel.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.semel.check.CheckTarget;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

class SafeToRetryTest {

    private static ChargeService service;

    @BeforeAll
    static void start() {
        service = ChargeService.start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    /** The test that a team writes; here for a service that ignores retries. */
    static class Unprotected implements SafeToRetry {
        @Override
        public CheckTarget target() {
            return CheckTarget.builder(service.uri().resolve("/charges"))
                    .effectsUri(service.uri() + "/effects?{key}")
                    .only("P5", "P9", "P12.2")
                    .build();
        }
    }

    @Test
    void hasATestForEachCase() {
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Unprotected.class))
                .execute()
                .testEvents();

        assertThat(names(tests.succeeded().list()))
                .containsExactly("P5.1 A request without a key is refused, or passes unprotected", cookies());
        assertThat(names(tests.aborted().list())).containsExactly("P12.2 An error after the effect is not run again");
        assertThat(names(tests.failed().list()))
                .hasSize(4)
                .contains("P9.1 A retry gets the same status and body", "P9.5 Many retries have one effect");
        String why = String.valueOf(tests.failed()
                .list()
                .get(0)
                .getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
                .getThrowable()
                .orElseThrow()
                .getMessage());
        assertThat(why).contains("expected: ", "seen: ", "why: ", "POST /charges");
    }

    private static String cookies() {
        return "P9.3 A retry does not get the first answer's cookies";
    }

    private static List<String> names(List<Event> events) {
        return events.stream()
                .map(event -> event.getTestDescriptor().getDisplayName())
                .toList();
    }
}
