package dev.semel.spring.web;

import dev.semel.Execution;
import dev.semel.NoValueException;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.util.Failures;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answers to requests whose handler called an operation that returned no value. */
final class NoValueAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(NoValueAnswers.class);

    private NoValueAnswers() {}

    /** The answer to a failure, with the problem type of that state; {@code null} for a failure of another kind. */
    static @Nullable Answer to(Throwable failure, Dialect dialect) {
        if (!(Failures.unwrap(failure) instanceof NoValueException noValue)) {
            return null;
        }
        Execution<?> execution = noValue.execution();
        if (execution instanceof Execution.InFlight<?> inFlight) {
            return inFlight(dialect, inFlight.age(), inFlight.leaseLeft());
        }
        if (execution instanceof Execution.LeaseLost<?> lost) {
            return inFlight(dialect, lost.age(), lost.leaseLeft());
        }
        LOG.warn("a request was refused because of an operation that its handler called", noValue);
        if (execution instanceof Execution.Mismatched<?>) {
            return problem(
                    dialect,
                    ProblemType.KEY_REUSED,
                    "An operation that this request needs was called before under the same key, with other arguments.");
        }
        if (execution instanceof Execution.Expired<?>) {
            return problem(
                    dialect,
                    ProblemType.KEY_EXPIRED,
                    "An operation that this request needs was called before, and its key has expired. It is not run"
                            + " again.");
        }
        return problem(
                dialect,
                ProblemType.OUTCOME_UNKNOWN,
                "An operation that this request needs was interrupted, and its outcome is unknown. It is not run again;"
                        + " ask later, or contact the operator of this service.");
    }

    private static Answer problem(Dialect dialect, ProblemType type, String detail) {
        return dialect.answer(Problem.of(type, detail));
    }

    /** The {@code Retry-After}: as long as the run has taken so far, but not beyond the end of the lease. */
    private static Answer inFlight(Dialect dialect, Duration age, Duration leaseLeft) {
        Duration wait = age.compareTo(leaseLeft) < 0 ? age : leaseLeft;
        long seconds = Math.max(1, wait.plusSeconds(1).minusNanos(1).toSeconds());
        return problem(
                        dialect,
                        ProblemType.IN_FLIGHT,
                        "An operation that this request needs is being run by another request. Send this one again.")
                .with("Retry-After", Long.toString(seconds));
    }
}
