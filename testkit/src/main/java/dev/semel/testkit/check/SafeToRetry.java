package dev.semel.testkit.check;

import dev.semel.check.ApiCheck;
import dev.semel.check.CaseResult;
import dev.semel.check.CheckCase;
import dev.semel.check.CheckTarget;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests that an operation of an API is safe to retry, one test for each case of {@code semel check}. Implement it in a
 * test class, and return the operation:
 *
 * <pre>{@code
 * class ChargesTest implements SafeToRetry {
 *     public CheckTarget target() {
 *         return CheckTarget.builder(URI.create("http://127.0.0.1:8080/charges"))
 *                 .body("{\"amount\": 100, \"currency\": \"EUR\"}")
 *                 .build();
 *     }
 * }
 * }</pre>
 *
 * <p>If the target lacks something that a case needs, the test is skipped with a message.
 */
public interface SafeToRetry {

    /** The operation to check. Called after the set-up of your class. */
    CheckTarget target();

    @TestFactory
    default Stream<DynamicTest> isSafeToRetry() {
        ApiCheck check = ApiCheck.of(target());
        return check.cases().stream()
                .map(tried -> DynamicTest.dynamicTest(tried.toString(), () -> judge(tried, check.run(tried))));
    }

    private static void judge(CheckCase tried, CaseResult result) {
        switch (result.state()) {
            case PASSED -> {}
            case SKIPPED -> Assumptions.abort(result.seen());
            case FINDING ->
                Assertions.fail("expected: " + tried.expected() + "\nseen: " + result.seen() + "\nwhy: " + tried.why()
                        + "\n\n" + String.join("\n", result.exchanges()));
        }
    }
}
